/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "tune/nest_lines.h"

static RecordKey key_of(Arena *arena, const HostNest *nest, VectorSetId set, ShapeClass shape)
{
    return (RecordKey){.kind = RECORD_NEST,
                       .family = FAM_COUNT,
                       .isa = vector_sets[set].name,
                       .kernel = profile_nest_name(arena, nest->fingerprint),
                       .shape = shape};
}

bool knobs_get(Arena *arena, const Profile *profile, const HostNest *nest, VectorSetId set, ShapeClass shape, NestKnobs *knobs)
{
    const RecordKey key = key_of(arena, nest, set, shape);
    *knobs = (NestKnobs){{0}};
    if (!profile_get(profile, &key, "ns"))
        return false;
    for (int knob = 0; knob < KNOB_COUNT; knob++) {
        const double *value = profile_get(profile, &key, knob_info[knob].name);
        knobs->value[knob] = value ? (int)*value : KNOB_PLANNED;
    }
    return true;
}

bool knobs_speak(Arena *arena, const Profile *profile, const HostNest *nest, VectorSetId set)
{
    NestKnobs knobs;
    bool speaks = false;
    for (int shape = CLASS_ALL; profile && shape < CLASS_COUNT; shape++)
        speaks = speaks || knobs_get(arena, profile, nest, set, (ShapeClass)shape, &knobs);
    return speaks;
}

int knobs_threads(Arena *arena, const Profile *profile, const HostNest *nest, VectorSetId set)
{
    const RecordKey key = key_of(arena, nest, set, CLASS_ALL);
    const double *threads = profile_get(profile, &key, "threads");
    return threads ? (int)*threads : profile_get(profile, &key, "ns") ? 1 : 0;
}

void knobs_put(Arena *arena, Profile *profile, const HostNest *nest, VectorSetId set, ShapeClass shape, const NestKnobs *knobs,
               NestTime time)
{
    const RecordKey key = key_of(arena, nest, set, shape);
    profile_replace(arena, profile, &key);
    for (int knob = 0; knob < KNOB_COUNT; knob++) {
        const double value = knobs->value[knob];
        profile_put(arena, profile, &key, knob_info[knob].name, &value);
    }
    if (time.threads > 1)
        profile_put(arena, profile, &key, "threads", &(double){time.threads});
    profile_put(arena, profile, &key, "ns", &time.ns);
}

/* nest->chosen.of_class for a set, of the lines about classes. Where all classes have a line, the last one's knobs become the nest's: nothing else
 * runs with these. */
static void choose_class_knobs(Arena *arena, const Profile *profile, HostNest *nest, VectorSetId set)
{
    bool all = true;
    ClassForm *of_class = nest->chosen.of_class[set];
    for (int shape = CLASS_ALL + 1; shape < CLASS_COUNT; shape++) {
        of_class[shape].differs = knobs_get(arena, profile, nest, set, (ShapeClass)shape, &of_class[shape].knobs);
        all = all && of_class[shape].differs;
    }
    if (all)
        nest->chosen.knobs[set] = of_class[CLASS_COUNT - 1].knobs;
    for (int shape = CLASS_ALL + 1; shape < CLASS_COUNT; shape++)
        of_class[shape].differs = of_class[shape].differs && !knobs_are_same(&of_class[shape].knobs, &nest->chosen.knobs[set]);
}

void choose_knobs(Ir *ir, Plan *plan, const Profile *profile)
{
    for (int i = 0; profile && i < host_nest_count(plan); i++)
        for (int set = 0; set < SET_COUNT; set++) {
            HostNest *nest = host_nest_at(plan, i);
            knobs_get(ir->arena, profile, nest, (VectorSetId)set, CLASS_ALL, &nest->chosen.knobs[set]);
            if (nest->costs.touched)
                choose_class_knobs(ir->arena, profile, nest, (VectorSetId)set);
        }
}

/* ---------------------------------------------------------------- GPUs */

static RecordKey grid_key(Arena *arena, const DeviceNest *nest, int gpu)
{
    return (RecordKey){
        .kind = RECORD_GRID, .family = FAM_COUNT, .isa = gpu_name(gpu), .kernel = profile_nest_name(arena, nest->fingerprint)};
}

bool grid_get(Arena *arena, const Profile *profile, const DeviceNest *nest, int gpu, GridKnobs *knobs)
{
    const RecordKey key = grid_key(arena, nest, gpu);
    *knobs = (GridKnobs){{0}};
    if (!profile_get(profile, &key, "ns"))
        return false;
    for (int knob = 0; knob < GRID_KNOBS; knob++) {
        const double *value = profile_get(profile, &key, grid_knob_info[knob].name);
        knobs->value[knob] = value ? (int)*value : 0;
    }
    return true;
}

void grid_put(Arena *arena, Profile *profile, const DeviceNest *nest, int gpu, const GridKnobs *knobs, double ns)
{
    const RecordKey key = grid_key(arena, nest, gpu);
    for (int knob = 0; knob < GRID_KNOBS; knob++) {
        const double value = knobs->value[knob];
        profile_put(arena, profile, &key, grid_knob_info[knob].name, &value);
    }
    profile_put(arena, profile, &key, "ns", &ns);
}

bool grid_choose(Arena *arena, const Profile *profile, const DeviceNest *nest, int gpu, GridKnobs *knobs)
{
    *knobs = (GridKnobs){{0}};
    if (!profile)
        return false;
    if (gpu >= 0 && grid_get(arena, profile, nest, gpu, knobs))
        return true;
    for (int i = GPU_COUNT - 1; i >= 0; i--)
        if (grid_get(arena, profile, nest, i, knobs))
            return true;
    return false;
}
