/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The list of instruction sets. */
#include "plan/vector_shape.h"

const VectorSet vector_sets[SET_COUNT] = {
    [SET_AVX512] = {"avx512", 'z', 3, 64, 32, true},
    [SET_AVX2] = {"avx2", 'y', 2, 32, 16, true},
    [SET_PORTABLE] = {"portable", 'p', 1, 16, 16, false},
};

VectorShape vector_shape(VectorSetId set, bool wide)
{
    return (VectorShape){&vector_sets[set], vector_sets[set].bytes / (wide ? 8 : 4), wide};
}

int vector_lanes(const VectorSet *set, Type type) { return set->bytes / (type & T_WIDE ? 8 : 4); }
