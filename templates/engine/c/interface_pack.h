/* SPDX-License-Identifier: GPL-3.0-or-later OR LicenseRef-mikgen-output */
/* What operators call to pack an operand that is converted; in an engine that several files share. Written for half into floats. */
#pragma once
#include "problem.h"

MIK_SHARED void mik_f32_pack_half(int isa, const mik_f32_half *src, int64_t line, int64_t k, int64_t lines, int64_t kc, int64_t size,
                                  int keep, int plus,
#if MIK_F32_HEAD_SUMS
                                  uint32_t scale, uint32_t constant,
#endif
                                  mik_f32_panel *dst);
MIK_SHARED void mik_f32_pack_half_apart(int isa, const mik_f32_half *src, int64_t line, int64_t lines, int64_t kc, int64_t pitch, int plus,
#if MIK_F32_HEAD_SUMS
                                        uint32_t scale, uint32_t constant,
#endif
                                        mik_f32_panel *dst);
