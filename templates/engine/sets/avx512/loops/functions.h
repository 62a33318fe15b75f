/* SPDX-License-Identifier: GPL-3.0-or-later OR LicenseRef-mikgen-output */
/* AVX-512: what functions here take of those for all sets: declarations. */
#pragma once
#include "float.h"

f32z16 f32z16_whole(void);
f32z16 f32z16_within(float low, f32z16 x, float high);
f32z16 f32z16_exp_rest(f32z16 x, f32z16 n);
f32z16 f32z16_exp2(f32z16 x);
f32z16 f32z16_pow(f32z16 x, f32z16 y);
