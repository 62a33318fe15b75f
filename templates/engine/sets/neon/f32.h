/* SPDX-License-Identifier: GPL-3.0-or-later OR LicenseRef-mikgen-output */
/* The vectors of f32 on NEON: four lanes; no masks: what is narrower is loaded and stored lane by lane. */
#pragma once
#include "../../c/base.h"

typedef float32x4_t f32q_vec, f32q_operand;
typedef float f32q_element;
typedef int f32q_mask;
MIK_INLINE float32x4_t f32q_zero(void) { return vdupq_n_f32(0); }
MIK_INLINE float32x4_t f32q_load(const float *p) { return vld1q_f32(p); }
MIK_INLINE float32x4_t f32q_fetch(const float *p) { return vld1q_f32(p); }
/* The first `last` lanes, 0 < last < 4. */
MIK_INLINE float32x4_t f32q_load_part(const float *p, int last)
{
    float32x4_t x = vld1q_lane_f32(p, vdupq_n_f32(0), 0);
    if (last > 1)
        x = vld1q_lane_f32(p + 1, x, 1);
    if (last > 2)
        x = vld1q_lane_f32(p + 2, x, 2);
    return x;
}
/* One element. The barrier keeps GCC from spreading it over a vector, and from loading all elements of a step before
   the first one is used, for which the registers do not suffice. */
MIK_INLINE float f32q_splat(const float *p)
{
    float x = *p;
    __asm__ volatile("" : "+w"(x));
    return x;
}
MIK_INLINE float32x4_t f32q_step(float x, float32x4_t y, float32x4_t c) { return vfmaq_n_f32(c, y, x); }
MIK_INLINE float32x4_t f32q_fma(float32x4_t x, float32x4_t y, float32x4_t c) { return vfmaq_f32(c, x, y); }
MIK_INLINE float32x4_t f32q_add(float32x4_t x, float32x4_t y) { return vaddq_f32(x, y); }
MIK_INLINE float32x4_t f32q_get(const float *p) { return vld1q_f32(p); }
MIK_INLINE float32x4_t f32q_get_part(const float *p, int last)
{
    float32x4_t x = vld1q_lane_f32(p, vdupq_n_f32(0), 0);
    if (last > 1)
        x = vld1q_lane_f32(p + 1, x, 1);
    if (last > 2)
        x = vld1q_lane_f32(p + 2, x, 2);
    return x;
}
MIK_INLINE void f32q_put(float *p, float32x4_t x) { vst1q_f32(p, x); }
MIK_INLINE void f32q_put_part(float *p, float32x4_t x, int last)
{
    vst1q_lane_f32(p, x, 0);
    if (last > 1)
        vst1q_lane_f32(p + 1, x, 1);
    if (last > 2)
        vst1q_lane_f32(p + 2, x, 2);
}
MIK_INLINE int f32q_first(int n) { return n; }
MIK_INLINE float f32q_sum(float32x4_t x) { return vaddvq_f32(x); }

/* The sums of four vectors: pairwise additions keep the order of the vectors. */
MIK_INLINE void f32q_sum4(float32x4_t x, float32x4_t y, float32x4_t z, float32x4_t w, float *sum)
{
    vst1q_f32(sum, vpaddq_f32(vpaddq_f32(x, y), vpaddq_f32(z, w)));
}
