#include "tune/nest_lines.h"

static RecordKey key_of(Arena *arena, const HostNest *nest, VectorSetId set)
{
    return (RecordKey){
        .kind = RECORD_NEST, .family = FAM_COUNT, .isa = vector_sets[set].name, .kernel = profile_nest_name(arena, nest->fingerprint)};
}

bool knobs_get(Arena *arena, const Profile *profile, const HostNest *nest, VectorSetId set, NestKnobs *knobs)
{
    const RecordKey key = key_of(arena, nest, set);
    *knobs = (NestKnobs){{0}};
    if (!profile_get(profile, &key, "ns"))
        return false;
    for (int knob = 0; knob < KNOB_COUNT; knob++) {
        const double *value = profile_get(profile, &key, knob_info[knob].name);
        knobs->value[knob] = value ? (int)*value : KNOB_PLANNED;
    }
    return true;
}

void knobs_put(Arena *arena, Profile *profile, const HostNest *nest, VectorSetId set, const NestKnobs *knobs, double ns)
{
    const RecordKey key = key_of(arena, nest, set);
    for (int knob = 0; knob < KNOB_COUNT; knob++) {
        const double value = knobs->value[knob];
        profile_put(arena, profile, &key, knob_info[knob].name, &value);
    }
    profile_put(arena, profile, &key, "ns", &ns);
}

void choose_knobs(Ir *ir, Plan *plan, const Profile *profile)
{
    for (int i = 0; profile && i < plan->nhost_nests; i++)
        for (int set = 0; set < SET_COUNT; set++)
            knobs_get(ir->arena, profile, plan->host_nests[i], (VectorSetId)set, &plan->host_nests[i]->knobs[set]);
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
