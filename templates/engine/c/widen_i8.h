/* SPDX-License-Identifier: GPL-3.0-or-later OR LicenseRef-mikgen-output */
/* Integers of 8 or 16 bits in memory, plus `plus`, to the pairs of int16_t of a panel: one pair, eight, sixteen of them. */
#pragma once
#include "float16.h"

/* `have` elements of a line, k apart; a zero fills the pair. */
MIK_INLINE void mik_i8_pack_s8_unit(const mik_i8_s8 *src, int64_t k, int64_t have, int plus, mik_i8_panel *dst)
{
    dst[0] = (mik_i8_panel)(src[0] + plus);
    dst[1] = have > 1 ? (mik_i8_panel)(src[k] + plus) : 0;
}
