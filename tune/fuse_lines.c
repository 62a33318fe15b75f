/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "tune/fuse_lines.h"

static RecordKey key_of(Arena *arena, uint64_t fingerprint)
{
    return (RecordKey){.kind = RECORD_FUSE, .family = FAM_COUNT, .isa = "", .kernel = profile_nest_name(arena, fingerprint)};
}

static const char *field_of(Arena *arena, int number) { return arena_printf(arena, "%d", number); }

bool placements_get(Arena *arena, const Profile *profile, uint64_t fingerprint, Placements *placements)
{
    const RecordKey key = key_of(arena, fingerprint);
    *placements = (Placements){{PLACE_PLANNED}};
    if (!profile || !profile_get(profile, &key, "ns"))
        return false;
    for (int i = 0; i < MOST_PLACED; i++) {
        const double *value = profile_get(profile, &key, field_of(arena, i));
        placements->of[i] = value ? (Placement)*value : PLACE_PLANNED;
    }
    return true;
}

void placements_put(Arena *arena, Profile *profile, uint64_t fingerprint, const Placements *placements, double ns)
{
    const RecordKey key = key_of(arena, fingerprint);
    profile_replace(arena, profile, &key);
    for (int i = 0; i < MOST_PLACED; i++) {
        const double value = placements->of[i];
        if (value != PLACE_PLANNED)
            profile_put(arena, profile, &key, field_of(arena, i), &value);
    }
    profile_put(arena, profile, &key, "ns", &ns);
}

void choose_placements(Ir *ir, Plan *plan, const Profile *profile)
{
    Placements placements;
    if (!placements_get(ir->arena, profile, plan->fingerprint, &placements))
        return;
    for (int i = 0; i < plan->nproducers; i++) {
        const int number = plan->producers[i].number;
        plan->producers[i].placement = number >= 0 && number < MOST_PLACED ? placements.of[number] : PLACE_PLANNED;
    }
}
