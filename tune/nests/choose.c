#include "tune/nests/choose.h"

static NestKnobs knobs_of(Ir *ir, const HostNest *nest, VectorSetId set, const Profile *profile)
{
    const RecordKey key = {
        .kind = RECORD_NEST, .family = FAM_COUNT, .isa = vector_sets[set].name, .kernel = profile_nest_name(ir->arena, nest->fingerprint)};
    NestKnobs knobs = {{0}};
    for (int knob = 0; knob < KNOB_COUNT; knob++) {
        const double *value = profile_get(profile, &key, knob_info[knob].name);
        knobs.value[knob] = value ? (int)*value : KNOB_PLANNED;
    }
    return knobs;
}

void choose_knobs(Ir *ir, Plan *plan, const Profile *profile)
{
    for (int i = 0; profile && i < plan->nhost_nests; i++)
        for (int set = 0; set < SET_COUNT; set++)
            plan->host_nests[i]->knobs[set] = knobs_of(ir, plan->host_nests[i], (VectorSetId)set, profile);
}
