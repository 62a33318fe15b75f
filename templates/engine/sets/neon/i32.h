/* SPDX-License-Identifier: GPL-3.0-or-later OR LicenseRef-mikgen-output */
/* The vectors of i32 on NEON: four lanes; no masks: what is narrower is loaded and stored lane by lane. */
#pragma once
#include "../../c/base.h"

typedef uint32x4_t i32q_vec, i32q_operand;
typedef uint32_t i32q_element;
typedef int i32q_mask;
MIK_INLINE uint32x4_t i32q_zero(void) { return vdupq_n_u32(0); }
MIK_INLINE uint32x4_t i32q_load(const uint32_t *p) { return vld1q_u32(p); }
MIK_INLINE uint32x4_t i32q_fetch(const uint32_t *p) { return vld1q_u32(p); }
/* The first `last` lanes, 0 < last < 4. */
MIK_INLINE uint32x4_t i32q_load_part(const uint32_t *p, int last)
{
    uint32x4_t x = vld1q_lane_u32(p, vdupq_n_u32(0), 0);
    if (last > 1)
        x = vld1q_lane_u32(p + 1, x, 1);
    if (last > 2)
        x = vld1q_lane_u32(p + 2, x, 2);
    return x;
}
/* One element. The barrier keeps GCC from spreading it over a vector, and from loading all elements of a step before
   the first one is used, for which the registers do not suffice. */
MIK_INLINE uint32_t i32q_splat(const uint32_t *p)
{
    uint32_t x = *p;
    __asm__ volatile("" : "+w"(x));
    return x;
}
MIK_INLINE uint32x4_t i32q_step(uint32_t x, uint32x4_t y, uint32x4_t c) { return vmlaq_n_u32(c, y, x); }
MIK_INLINE uint32x4_t i32q_fma(uint32x4_t x, uint32x4_t y, uint32x4_t c) { return vmlaq_u32(c, x, y); }
MIK_INLINE uint32x4_t i32q_add(uint32x4_t x, uint32x4_t y) { return vaddq_u32(x, y); }
MIK_INLINE uint32x4_t i32q_get(const uint32_t *p) { return vld1q_u32(p); }
MIK_INLINE uint32x4_t i32q_get_part(const uint32_t *p, int last)
{
    uint32x4_t x = vld1q_lane_u32(p, vdupq_n_u32(0), 0);
    if (last > 1)
        x = vld1q_lane_u32(p + 1, x, 1);
    if (last > 2)
        x = vld1q_lane_u32(p + 2, x, 2);
    return x;
}
MIK_INLINE void i32q_put(uint32_t *p, uint32x4_t x) { vst1q_u32(p, x); }
MIK_INLINE void i32q_put_part(uint32_t *p, uint32x4_t x, int last)
{
    vst1q_lane_u32(p, x, 0);
    if (last > 1)
        vst1q_lane_u32(p + 1, x, 1);
    if (last > 2)
        vst1q_lane_u32(p + 2, x, 2);
}
MIK_INLINE int i32q_first(int n) { return n; }
MIK_INLINE uint32_t i32q_sum(uint32x4_t x) { return vaddvq_u32(x); }

/* The sums of four vectors: pairwise additions keep the order of the vectors. */
MIK_INLINE void i32q_sum4(uint32x4_t x, uint32x4_t y, uint32x4_t z, uint32x4_t w, uint32_t *sum)
{
    vst1q_u32(sum, vpaddq_u32(vpaddq_u32(x, y), vpaddq_u32(z, w)));
}
