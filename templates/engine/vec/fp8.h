/* SPDX-License-Identifier: GPL-3.0-or-later OR LicenseRef-mikgen-output */
/* Vectors of floats from and to floats of 8 bits, which integers of 32 bits hold: as templates/engine/c/float8.h converts them, whatever the
   rounding mode is. `drop`: bits of float's fraction that the type has not; `least`: its least normal number, as a float's bits; `greatest`
   likewise; a small number, below that, is so many times 1 / `scale`. */
#pragma once
#include "integer.h"

MIK_INLINE MIK_LANES i32p4 f32p4_of_fp8(i32p4 rest, int drop, int32_t least, float scale)
{
    const i32p4 bits = rest << drop, is_small = bits < 0x800000;
    const i32p4 small = (i32p4)(__builtin_convertvector(rest, f32p4) * (1 / scale));
    return (small & is_small) | ((bits + (least - 0x800000)) & ~is_small);
}
MIK_INLINE MIK_LANES f32p4 f32p4_of_e4m3(i32p4 x)
{
    const i32p4 rest = x & 0x7f, is_nan = rest == 0x7f, sign = (i32p4)((u32p4)(x & 0x80) << 24);
    return (f32p4)(((f32p4_of_fp8(rest, 20, 0x3c800000, 0x1p9f) | sign) & ~is_nan) | (is_nan & 0x7fc00000));
}
MIK_INLINE MIK_LANES f32p4 f32p4_of_e5m2(i32p4 x)
{
    const i32p4 rest = x & 0x7f, is_finite = rest < 0x7c, sign = (i32p4)((u32p4)(x & 0x80) << 24);
    const i32p4 other = rest << 21 | 0x7f800000;
    return (f32p4)((f32p4_of_fp8(rest, 21, 0x38800000, 0x1p16f) & is_finite) | (other & ~is_finite) | sign);
}
/* To nearest even, what is larger than `greatest` to that; NaN to 0x7f. */
MIK_INLINE MIK_LANES i32p4 f32p4_to_fp8(f32p4 x, int drop, int32_t least, int32_t greatest, float scale)
{
    const i32p4 all = (i32p4)x & 0x7fffffff, is_beyond = all > greatest, is_nan = all > 0x7f800000;
    const i32p4 rest = (all & ~is_beyond) | (is_beyond & greatest), is_small = rest < least;
    const f32p4 times = (f32p4)(rest & is_small) * scale;
    const i32p4 whole = __builtin_convertvector(times, i32p4);
    const f32p4 part = times - __builtin_convertvector(whole, f32p4);
    const i32p4 small = whole - (i32p4)(part > 0.5f) + ((i32p4)(part == 0.5f) & whole & 1);
    const i32p4 nearest = (rest + ((1 << (drop - 1)) - 1 + 0x800000 - least) + (rest >> drop & 1)) >> drop;
    const i32p4 number = (small & is_small) | (nearest & ~is_small) | ((i32p4)x >> 24 & 0x80);
    return (number & ~is_nan) | (is_nan & 0x7f);
}
MIK_INLINE MIK_LANES i32p4 f32p4_to_e4m3(f32p4 x) { return f32p4_to_fp8(x, 20, 0x3c800000, 0x43e00000, 0x1p9f); }
MIK_INLINE MIK_LANES i32p4 f32p4_to_e5m2(f32p4 x) { return f32p4_to_fp8(x, 21, 0x38800000, 0x47600000, 0x1p16f); }
