/* SPDX-License-Identifier: GPL-3.0-or-later OR LicenseRef-mikgen-output */
/* Functions of floats that those with wider bounds are made of: declarations, as in lanes_f64.h. */
#pragma once
#include "lanes_types.h"

f32p4 f32p4_pow(f32p4 x, f32p4 y);
