/* SPDX-License-Identifier: GPL-3.0-or-later OR LicenseRef-mikgen-output */
/* What operators call to finish panels with heads that they filled themselves; in an engine that several files share. */
#pragma once
#include "problem.h"

#if MIK_WITH_BF16
MIK_SHARED void mik_bf16_head(mik_bf16_panel *panel, int64_t used, int64_t to, int64_t units);
MIK_SHARED void mik_bf16_narrow(const float *from, int64_t lines, int64_t steps, mik_bf16_panel *dst, int64_t to);
#endif
#if MIK_WITH_U8S8
MIK_SHARED void mik_u8s8_head(mik_u8s8_panel *panel, int64_t used, int64_t to, int64_t units, int is_b, uint32_t scale, uint32_t constant);
MIK_SHARED void mik_u8s8_narrow(const int16_t *from, int64_t lines, int64_t steps, int plus, mik_u8s8_panel *dst, int64_t to);
#endif
