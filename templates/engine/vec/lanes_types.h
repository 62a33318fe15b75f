/* SPDX-License-Identifier: GPL-3.0-or-later OR LicenseRef-mikgen-output */
/* Vectors of GNU C. */
#pragma once
#include "lanes_config.h"

typedef float f32p4 __attribute__((vector_size(P4_LANES * sizeof(float))));
typedef int32_t i32p4 __attribute__((vector_size(P4_LANES * sizeof(int32_t))));
typedef uint32_t u32p4 __attribute__((vector_size(P4_LANES * sizeof(uint32_t))));
