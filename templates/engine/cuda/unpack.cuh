/* SPDX-License-Identifier: GPL-3.0-or-later OR LicenseRef-mikgen-output */
/* Packed codes as floats, in registers. */
#pragma once
#include "problem.cuh"

/* Four codes of a word, as floats: its bytes, or the low or the high halves of these; LEAST is what bits of 0 stand for. Bits
   that lie in the fraction of 2^23 are added to it, as they lie. */
template <int BITS, bool SIGNED, int LEAST> MIK_DEVICE void mik_unpack(float x[4], uint32_t word, bool high)
{
    constexpr uint32_t MAGIC = 0x4b000000;
    constexpr float BASE = 8388608;
    if constexpr (BITS == 8) {
        word ^= SIGNED ? 0x80808080u : 0u;
#pragma unroll
        for (int i = 0; i < 4; i++)
            x[i] = __uint_as_float(__byte_perm(word, MAGIC, 0x7640 | i)) - (BASE + (SIGNED ? 128 : 0) - LEAST);
    } else {
        word = high ? word >> 4 : word;
        x[0] = __uint_as_float((word & 0xf) | MAGIC) - (BASE - LEAST);
        x[1] = fmaf(__uint_as_float((word & 0xf00) | MAGIC), 1.0f / 256, LEAST - BASE / 256);
        x[2] = fmaf(__uint_as_float((word & 0xf0000) | MAGIC), 1.0f / 65536, LEAST - BASE / 65536);
        x[3] = __uint_as_float((word >> 24 & 0xf) | MAGIC) - (BASE - LEAST);
    }
}
