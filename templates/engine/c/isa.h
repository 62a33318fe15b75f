/* SPDX-License-Identifier: GPL-3.0-or-later OR LicenseRef-mikgen-output */
/* The processor's instruction sets at run time. */
#pragma once
#include "needs.h"
#include "processor.h"

/* The instruction set to use, as mikgen_options.isa counts; the one of dot products where these are of use. 0 when `wish` (0: the best) is
   not there. */
MIK_SHARED int mik_isa(int wish, int needs)
{
    MIK_FIND_SETS;
#if MIK_SOME_SETS
    static const signed char bases[] = {MIK_BASES}; /* of the sets that this file holds a bit for each number: what a set stands on */
    while (best > 0 && !(MIK_HELD >> best & 1))
        best = bases[best];
    if (wish != 0 && (wish < 0 || wish >= (int)sizeof bases || !(MIK_HELD >> wish & 1)))
        return 0;
#endif
    if (wish == 0)
        return best;
    return MIK_WISH_IS_THERE ? wish : 0;
}
