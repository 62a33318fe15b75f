/* SPDX-License-Identifier: GPL-3.0-or-later OR LicenseRef-mikgen-output */
/* The vectors of i8 on NEON: four sums; an operand has a pair of int16_t for each, an element of A is one such pair. */
#pragma once
#include "../../c/base.h"

typedef int32x4_t i8q_vec;
typedef int16x8_t i8q_operand;
typedef int16x4_t i8q_element;
typedef int i8q_mask;
MIK_INLINE int32x4_t i8q_zero(void) { return vdupq_n_s32(0); }
MIK_INLINE int16x8_t i8q_load(const int16_t *p) { return vld1q_s16(p); }
MIK_INLINE int16x8_t i8q_fetch(const int16_t *p) { return vld1q_s16(p); }
/* The first `last` pairs, 0 < last < 4. */
MIK_INLINE int16x8_t i8q_load_part(const int16_t *p, int last)
{
    int32x4_t x = vsetq_lane_s32(mik_word(p), vdupq_n_s32(0), 0);
    if (last > 1)
        x = vsetq_lane_s32(mik_word(p + 2), x, 1);
    if (last > 2)
        x = vsetq_lane_s32(mik_word(p + 4), x, 2);
    return vreinterpretq_s16_s32(x);
}
/* Two neighbours along k as the first lanes. The barrier keeps GCC from loading all elements of a step before the first
   one is used, for which the registers do not suffice. */
MIK_INLINE int16x4_t i8q_splat(const int16_t *p)
{
    int16x4_t x = vreinterpret_s16_s32(vset_lane_s32(mik_word(p), vdup_n_s32(0), 0));
    __asm__ volatile("" : "+w"(x));
    return x;
}
/* The first of each pair, then the second of each. */
MIK_INLINE int16x8_t i8q_turn(int16x8_t x)
{
    static const uint8_t order[16] = {0, 1, 4, 5, 8, 9, 12, 13, 2, 3, 6, 7, 10, 11, 14, 15};
    return vreinterpretq_s16_u8(vqtbl1q_u8(vreinterpretq_u8_s16(x), vld1q_u8(order)));
}
MIK_INLINE int32x4_t i8q_step(int16x4_t x, int16x8_t y, int32x4_t c)
{
    return vmlal_high_lane_s16(vmlal_lane_s16(c, vget_low_s16(y), x, 0), y, x, 1);
}
/* For vectors along k, whose lanes are added up in the end. */
MIK_INLINE int32x4_t i8q_fma(int16x8_t x, int16x8_t y, int32x4_t c)
{
    return vmlal_high_s16(vmlal_s16(c, vget_low_s16(x), vget_low_s16(y)), x, y);
}
MIK_INLINE int32x4_t i8q_add(int32x4_t x, int32x4_t y) { return vaddq_s32(x, y); }
MIK_INLINE int32x4_t i8q_get(const int32_t *p) { return vld1q_s32(p); }
MIK_INLINE int32x4_t i8q_get_part(const int32_t *p, int last)
{
    int32x4_t x = vld1q_lane_s32(p, vdupq_n_s32(0), 0);
    if (last > 1)
        x = vld1q_lane_s32(p + 1, x, 1);
    if (last > 2)
        x = vld1q_lane_s32(p + 2, x, 2);
    return x;
}
MIK_INLINE void i8q_put(int32_t *p, int32x4_t x) { vst1q_s32(p, x); }
MIK_INLINE void i8q_put_part(int32_t *p, int32x4_t x, int last)
{
    vst1q_lane_s32(p, x, 0);
    if (last > 1)
        vst1q_lane_s32(p + 1, x, 1);
    if (last > 2)
        vst1q_lane_s32(p + 2, x, 2);
}
MIK_INLINE int i8q_first(int n) { return n; }
MIK_INLINE int32_t i8q_sum(int32x4_t x) { return vaddvq_s32(x); }

/* The sums of four vectors: pairwise additions keep the order of the vectors. */
MIK_INLINE void i8q_sum4(int32x4_t x, int32x4_t y, int32x4_t z, int32x4_t w, int32_t *sum)
{
    vst1q_s32(sum, vpaddq_s32(vpaddq_s32(x, y), vpaddq_s32(z, w)));
}
