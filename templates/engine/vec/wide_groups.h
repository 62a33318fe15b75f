/* SPDX-License-Identifier: GPL-3.0-or-later OR LicenseRef-mikgen-output */
/* Words of 32 bits, of which each lane has one, put together of a group of `size` bytes: `code` has 4 bits for each byte of the word, from the
 * lowest on: the number of a byte of the group, plus 1; 0: a byte that is 0. */
#pragma once
#include "memory.h"
#include "integer.h"

MIK_INLINE MIK_LANES i32p4 i32p4_load_word_part_u8(const uint8_t *p, int size, int code, int64_t n)
{
    i32p4 x = {0};
    for (int i = 0; i < P4_LANES && i < n; i++) {
        uint32_t word = 0;
        for (int k = 0; k < 4; k++)
            word |= code >> 4 * k & 15 ? (uint32_t)p[size * i + (code >> 4 * k & 15) - 1] << 8 * k : 0;
        x[i] = (int32_t)word;
    }
    return x;
}
MIK_INLINE MIK_LANES i32p4 i32p4_load_word_u8(const uint8_t *p, int size, int code)
{
    return i32p4_load_word_part_u8(p, size, code, P4_LANES);
}
