/* SPDX-License-Identifier: GPL-3.0-or-later */
/* How many lanes vectors have. */
#include "plan/vector_shape.h"

VectorShape vector_shape(VectorSetId set, bool wide)
{
    return (VectorShape){&vector_sets[set], vector_sets[set].bytes / (wide ? 8 : 4), wide};
}

int vector_lanes(const VectorSet *set, Type type) { return set->bytes / (type & T_WIDE ? 8 : 4); }
