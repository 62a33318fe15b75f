/* SPDX-License-Identifier: GPL-3.0-or-later OR LicenseRef-mikgen-output */
/* AVX2: masked loads of elements narrower than 32 bits, for which there is no instruction: the masked ones, if not all are, go into
 * registers one by one, as what has been stored in pieces cannot be loaded as a whole at once. Written for bytes. */
#pragma once
#include "memory.h"

MIK_INLINE MIK_AVX2L i32y8 i32y8_load_where_u8(const uint8_t *p, masky8 where)
{
    enum { BITS = 8 * sizeof *p, PER_HALF = 64 / BITS };
    unsigned left = (unsigned)_mm256_movemask_ps((__m256)where);
    if (left == 0xff)
        return i32y8_load_u8(p);
    uint64_t half[2] = {0, 0};
    for (; left; left &= left - 1) {
        const int i = __builtin_ctz(left);
        half[i / PER_HALF] |= ((uint64_t)p[i] & ((1u << BITS) - 1)) << (i % PER_HALF * BITS);
    }
    uint8_t lane[16 / sizeof *p];
    _mm_storeu_si128((__m128i *)(void *)lane, _mm_set_epi64x((long long)half[1], (long long)half[0]));
    return i32y8_load_u8(lane);
}
