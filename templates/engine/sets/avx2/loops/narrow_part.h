/* SPDX-License-Identifier: GPL-3.0-or-later OR LicenseRef-mikgen-output */
/* AVX2: the first few of narrower elements, for which there is no masked load: by words that overlap, as what has been stored in pieces
 * cannot be loaded as a whole at once. Written for bytes. */
#pragma once
#include "bytes.h"
#include "memory.h"

MIK_INLINE MIK_AVX2L i32y8 i32y8_load_part_u8(const uint8_t *p, int64_t n)
{
    if (n >= 8)
        return i32y8_load_u8(p);
    uint8_t lane[16 / sizeof *p];
    _mm_storeu_si128((__m128i *)(void *)lane, u8y32_load_few((const void *)p, n * (int64_t)sizeof *p));
    return i32y8_load_u8(lane);
}
