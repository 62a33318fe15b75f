/* SPDX-License-Identifier: GPL-3.0-or-later OR LicenseRef-mikgen-output */
/* Functions of floats that are made by those of doubles, each half of the lanes by itself. */
#pragma once
#include "lanes_functions_f64.h"
#include "floats.h"

MIK_INLINE MIK_LANES f64p2 f32p4_low(f32p4 x)
{
    f64p2 y = {0};
    for (int i = 0; i < P4_LANES / 2; i++)
        y[i] = x[i];
    return y;
}
MIK_INLINE MIK_LANES f64p2 f32p4_high(f32p4 x)
{
    f64p2 y = {0};
    for (int i = 0; i < P4_LANES / 2; i++)
        y[i] = x[i + P4_LANES / 2];
    return y;
}
MIK_INLINE MIK_LANES f32p4 f32p4_of_halves(f64p2 low, f64p2 high)
{
    f32p4 x = {0};
    for (int i = 0; i < P4_LANES / 2; i++) {
        x[i] = (float)low[i];
        x[i + P4_LANES / 2] = (float)high[i];
    }
    return x;
}
MIK_INLINE MIK_LANES f32p4 f32p4_sinh(f32p4 x) { return f32p4_of_halves(f64p2_sinh(f32p4_low(x)), f64p2_sinh(f32p4_high(x))); }
MIK_INLINE MIK_LANES f32p4 f32p4_cosh(f32p4 x) { return f32p4_of_halves(f64p2_cosh(f32p4_low(x)), f64p2_cosh(f32p4_high(x))); }
MIK_INLINE MIK_LANES f32p4 f32p4_tan(f32p4 x) { return f32p4_of_halves(f64p2_tan_float(f32p4_low(x)), f64p2_tan_float(f32p4_high(x))); }
MIK_INLINE MIK_LANES f32p4 f32p4_atan(f32p4 x) { return f32p4_of_halves(f64p2_atan_float(f32p4_low(x)), f64p2_atan_float(f32p4_high(x))); }
MIK_INLINE MIK_LANES f32p4 f32p4_asin(f32p4 x) { return f32p4_of_halves(f64p2_asin_float(f32p4_low(x)), f64p2_asin_float(f32p4_high(x))); }
MIK_INLINE MIK_LANES f32p4 f32p4_acos(f32p4 x) { return f32p4_of_halves(f64p2_acos_float(f32p4_low(x)), f64p2_acos_float(f32p4_high(x))); }
MIK_INLINE MIK_LANES f32p4 f32p4_cbrt(f32p4 x) { return f32p4_of_halves(f64p2_cbrt(f32p4_low(x)), f64p2_cbrt(f32p4_high(x))); }
MIK_INLINE MIK_LANES f32p4 f32p4_pow(f32p4 x, f32p4 y)
{
    return f32p4_of_halves(f64p2_pow_float(f32p4_low(x), f32p4_low(y)), f64p2_pow_float(f32p4_high(x), f32p4_high(y)));
}
MIK_INLINE MIK_LANES f32p4 f32p4_atan2(f32p4 x, f32p4 y)
{
    return f32p4_of_halves(f64p2_atan2_float(f32p4_low(x), f32p4_low(y)), f64p2_atan2_float(f32p4_high(x), f32p4_high(y)));
}
MIK_INLINE MIK_LANES f32p4 f32p4_hypot(f32p4 x, f32p4 y)
{
    return f32p4_of_halves(f64p2_hypot_float(f32p4_low(x), f32p4_low(y)), f64p2_hypot_float(f32p4_high(x), f32p4_high(y)));
}
