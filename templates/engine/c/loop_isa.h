/* SPDX-License-Identifier: GPL-3.0-or-later OR LicenseRef-mikgen-output */
/* The processor's instruction sets at run time, for loops. */
#pragma once
#include "processor.h"

/* The instruction set to use, as mikgen_options.isa counts. A set with dot products counts as the one that it builds on. 0: this processor
   lacks `wish` (0: the best). */
static int mik_loop_isa(int wish)
{
    MIK_FIND_LOOP_SETS;
#if MIK_SOME_SETS
    static const signed char bases[] = {MIK_BASES}; /* of the sets that this file holds a bit for each number: what a set stands on */
    while (best > 0 && !(MIK_HELD >> best & 1))
        best = bases[best];
    wish = MIK_LOOP_WISH;
    if (wish != 0 && (wish < 0 || wish >= (int)sizeof bases || !(MIK_HELD >> wish & 1)))
        return 0;
#endif
    wish = wish == 0 ? best : MIK_LOOP_WISH;
    return MIK_LOOP_WISH_IS_THERE ? wish : 0;
}
