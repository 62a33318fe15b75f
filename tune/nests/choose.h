/* Which knobs the loops of a C file's nests get. */
#ifndef MIKGEN_TUNE_NESTS_CHOOSE_H
#define MIKGEN_TUNE_NESTS_CHOOSE_H

#include "plan/plan.h"
#include "plan/profile/profile.h"

/* Sets HostNest.knobs of the plan's nests: as the profile's `nest` lines say (NULL: there are none), for each instruction set by itself;
 * else as planned. */
void choose_knobs(Ir *ir, Plan *plan, const Profile *profile);

#endif
