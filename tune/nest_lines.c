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
