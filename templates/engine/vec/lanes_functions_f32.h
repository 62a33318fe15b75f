/* SPDX-License-Identifier: GPL-3.0-or-later OR LicenseRef-mikgen-output */
/* Functions that those of floats are made of, which other files define or other types have: declarations, as in lanes_f64.h. */
#pragma once
#include "lanes_types.h"
#include "shape.h"

maskp4 i32p4_eq(i32p4 x, i32p4 y);
i32p4 i32p4_of_f32(f32p4 x);
f32p4 f32p4_pow(f32p4 x, f32p4 y);
