/* Measured performance: per micro-kernel the piecewise-linear g(t) of MikPoly's performance model, and what the paper
 * leaves out: packing, cold operands, cores that share bandwidth. A profile is plain text, one record a line, sorted,
 * so that profiles can be compared and merged by ordinary tools:
 *
 *   mikgen-profile 1
 *   # free text: the machine, the compiler
 *   kernel f32 avx512 14x32 g 9.1 33.0 ...          nanoseconds at the steps g_knots
 *   dot f32 avx512 step 0.16 tile 5.6 sum 0.8
 *   move f32 avx512 pack 0.2 gather 0.17 ...        the fields of MoveCosts by name
 *
 * What a profile does not say is taken from the next one, at last from the analytical terms. */
#ifndef MIKGEN_PLAN_PROFILE_H
#define MIKGEN_PLAN_PROFILE_H

#include "ir/diag.h"
#include "plan/kernel.h"

typedef struct Profile Profile;

/* The profiles that are part of the executable: tune/profiles. Arena-owned. */
Profile *profile_embedded(Arena *arena);

/* Reads a profile's text, whose records win over those of `below` (NULL: none). NULL after a located message about a
 * wrong line. Arena-owned; borrows `name`. */
Profile *profile_parse(Arena *arena, Diag *diag, const char *name, const char *text, Profile *below);

/* The text of a profile, records in their canonical order. Arena-owned. */
const char *profile_print(Arena *arena, const Profile *profile);

/* Replaces whatever the profile knows about the set: g of its tiles, costs of dot kernels and of moving data. NULL
 * knows nothing. */
void profile_apply(const Profile *profile, Family family, KernelSet *set);

#endif
