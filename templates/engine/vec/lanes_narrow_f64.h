/* SPDX-License-Identifier: GPL-3.0-or-later OR LicenseRef-mikgen-output */
/* Functions of doubles, in vectors of as many lanes as floats have, that narrow_math_f32.h calls: declarations, as in lanes_f64.h. */
#pragma once
#include "lanes_types.h"

typedef double f64p4 __attribute__((vector_size(P4_LANES * sizeof(double))));

f64p4 f64p4_of_f32(f32p4 x);
f32p4 f32p4_of_f64(f64p4 x);
f64p4 f64p4_acos_float(f64p4 x);
f64p4 f64p4_asin_float(f64p4 x);
f64p4 f64p4_atan_float(f64p4 x);
f64p4 f64p4_cbrt(f64p4 x);
f64p4 f64p4_cosh(f64p4 x);
f64p4 f64p4_sinh(f64p4 x);
f64p4 f64p4_tan_float(f64p4 x);
f64p4 f64p4_pow_float(f64p4 x, f64p4 y);
f64p4 f64p4_atan2_float(f64p4 x, f64p4 y);
f64p4 f64p4_hypot_float(f64p4 x, f64p4 y);
