/* SPDX-License-Identifier: GPL-3.0-or-later OR LicenseRef-mikgen-output */
/* Four integers from narrower ones in memory, written for int8_t, each of which is named: gcc takes those that a loop counts by way of memory. */
#pragma once
#include "../../../vec/integer.h"

MIK_INLINE MIK_LANES i32p4 i32p4_load_i8(const int8_t *p) { return (i32p4){p[0], p[1], p[2], p[3]}; }
