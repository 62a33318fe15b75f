/* SPDX-License-Identifier: GPL-3.0-or-later OR LicenseRef-mikgen-output */
/* Functions of doubles that those of floats are made of: declarations, as in lanes_f64.h. */
#pragma once
#include "lanes_f64.h"

f64p2 f64p2_acos_float(f64p2 x);
f64p2 f64p2_asin_float(f64p2 x);
f64p2 f64p2_atan_float(f64p2 x);
f64p2 f64p2_cbrt(f64p2 x);
f64p2 f64p2_cosh(f64p2 x);
f64p2 f64p2_sinh(f64p2 x);
f64p2 f64p2_tan_float(f64p2 x);
f64p2 f64p2_pow_float(f64p2 x, f64p2 y);
f64p2 f64p2_atan2_float(f64p2 x, f64p2 y);
f64p2 f64p2_hypot_float(f64p2 x, f64p2 y);
