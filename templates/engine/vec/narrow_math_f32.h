/* SPDX-License-Identifier: GPL-3.0-or-later OR LicenseRef-mikgen-output */
/* Functions of floats that are made by those of doubles, in the shape of 64-bit elements. */
#pragma once
#include "lanes_narrow_f64.h"

MIK_INLINE MIK_LANES f32p4 f32p4_sinh(f32p4 x) { return f32p4_of_f64(f64p4_sinh(f64p4_of_f32(x))); }
MIK_INLINE MIK_LANES f32p4 f32p4_cosh(f32p4 x) { return f32p4_of_f64(f64p4_cosh(f64p4_of_f32(x))); }
MIK_INLINE MIK_LANES f32p4 f32p4_tan(f32p4 x) { return f32p4_of_f64(f64p4_tan_float(f64p4_of_f32(x))); }
MIK_INLINE MIK_LANES f32p4 f32p4_atan(f32p4 x) { return f32p4_of_f64(f64p4_atan_float(f64p4_of_f32(x))); }
MIK_INLINE MIK_LANES f32p4 f32p4_asin(f32p4 x) { return f32p4_of_f64(f64p4_asin_float(f64p4_of_f32(x))); }
MIK_INLINE MIK_LANES f32p4 f32p4_acos(f32p4 x) { return f32p4_of_f64(f64p4_acos_float(f64p4_of_f32(x))); }
MIK_INLINE MIK_LANES f32p4 f32p4_cbrt(f32p4 x) { return f32p4_of_f64(f64p4_cbrt(f64p4_of_f32(x))); }
MIK_INLINE MIK_LANES f32p4 f32p4_pow(f32p4 x, f32p4 y) { return f32p4_of_f64(f64p4_pow_float(f64p4_of_f32(x), f64p4_of_f32(y))); }
MIK_INLINE MIK_LANES f32p4 f32p4_atan2(f32p4 x, f32p4 y) { return f32p4_of_f64(f64p4_atan2_float(f64p4_of_f32(x), f64p4_of_f32(y))); }
MIK_INLINE MIK_LANES f32p4 f32p4_hypot(f32p4 x, f32p4 y) { return f32p4_of_f64(f64p4_hypot_float(f64p4_of_f32(x), f64p4_of_f32(y))); }
