/* SPDX-License-Identifier: GPL-3.0-or-later OR LicenseRef-mikgen-output */
/*
 * What the files for doubles use of the other files, which are written for f32p4 and renamed: declarations, so that math_*_f64.h compile
 * by themselves. No emitted file has them.
 */
#pragma once
#include "lanes_config.h"

#define P2_LANES 2

typedef double f64p2 __attribute__((vector_size(16)));
typedef int64_t i64p2 __attribute__((vector_size(16)));
typedef uint64_t u64p2 __attribute__((vector_size(16)));
typedef int64_t maskp2 __attribute__((vector_size(16)));

int maskp2_any(maskp2 where);
f64p2 f64p2_all(double x);
i64p2 f64p2_bits(f64p2 x);
f64p2 f64p2_of_bits(i64p2 x);
f64p2 f64p2_abs(f64p2 x);
f64p2 f64p2_copysign(f64p2 x, f64p2 sign);
f64p2 f64p2_sqrt(f64p2 x);
f64p2 f64p2_mul_add(f64p2 x, f64p2 y, f64p2 z);
f64p2 f64p2_max(f64p2 x, f64p2 y);
f64p2 f64p2_min(f64p2 x, f64p2 y);
f64p2 f64p2_rint(f64p2 x);
f64p2 f64p2_select(maskp2 where, f64p2 x, f64p2 y);
maskp2 f64p2_lt(f64p2 x, f64p2 y);
maskp2 f64p2_gt(f64p2 x, f64p2 y);
maskp2 f64p2_ge(f64p2 x, f64p2 y);
maskp2 f64p2_eq(f64p2 x, f64p2 y);
maskp2 f64p2_ne(f64p2 x, f64p2 y);
