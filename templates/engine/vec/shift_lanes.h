/* SPDX-License-Identifier: GPL-3.0-or-later OR LicenseRef-mikgen-output */
/* Lanes of 16 bits, each shifted by another count, from 0 to 15. */
#pragma once
#include "integer.h"

typedef int16_t i16p8 __attribute__((vector_size(16)));
typedef uint16_t u16p8 __attribute__((vector_size(16)));

MIK_INLINE MIK_LANES u16p8 u16p8_shift_left(u16p8 x, u16p8 by) { return x << by; }
MIK_INLINE MIK_LANES u16p8 u16p8_shift_right(u16p8 x, u16p8 by) { return x >> by; }
MIK_INLINE MIK_LANES i16p8 i16p8_shift_right(i16p8 x, i16p8 by) { return x >> by; }
