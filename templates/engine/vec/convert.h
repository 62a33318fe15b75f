/* SPDX-License-Identifier: GPL-3.0-or-later OR LicenseRef-mikgen-output */
/* Between elements of two types, as C converts. */
#pragma once
#include "floats.h"

MIK_INLINE MIK_LANES f32p4 f32p4_of_i32(i32p4 x) { return __builtin_convertvector(x, f32p4); }
