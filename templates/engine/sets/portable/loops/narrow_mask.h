/* SPDX-License-Identifier: GPL-3.0-or-later OR LicenseRef-mikgen-output */
/* The portable set: masks of lanes so narrow that they cannot count far. */
#pragma once
#include "../../../vec/lanes_config.h"

typedef P4_WIDEST maskp4 __attribute__((vector_size(P4_LANES * sizeof(P4_WIDEST))));

/* The first n lanes, 0 <= n; all if there are no more. */
MIK_INLINE MIK_LANES maskp4 maskp4_first(int64_t n)
{
    maskp4 first = {0};
    for (int i = 0; i < P4_LANES; i++)
        first[i] = i < n ? -1 : 0;
    return first;
}
