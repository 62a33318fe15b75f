/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Other libraries' vectors of functions, beside ours. */
#pragma once
#include "vmath.h"

extern const VmathFunction mvec_z[], mvec_y[], mvec_p[], sleef_z[], sleef_y[], sleef_p[];
