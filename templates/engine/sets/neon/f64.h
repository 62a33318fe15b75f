/* SPDX-License-Identifier: GPL-3.0-or-later OR LicenseRef-mikgen-output */
/* The vectors of f64 on NEON: two lanes; no masks: what is narrower is loaded and stored lane by lane. */
#pragma once
#include "../../c/base.h"

typedef float64x2_t f64q_vec, f64q_operand;
typedef double f64q_element;
typedef int f64q_mask;
MIK_INLINE float64x2_t f64q_zero(void) { return vdupq_n_f64(0); }
MIK_INLINE float64x2_t f64q_load(const double *p) { return vld1q_f64(p); }
MIK_INLINE float64x2_t f64q_fetch(const double *p) { return vld1q_f64(p); }
/* The first `last` lanes, 0 < last < 2. */
MIK_INLINE float64x2_t f64q_load_part(const double *p, int last)
{
    float64x2_t x = vld1q_lane_f64(p, vdupq_n_f64(0), 0);
    (void)last;
    return x;
}
/* One element. The barrier keeps GCC from spreading it over a vector, and from loading all elements of a step before
   the first one is used, for which the registers do not suffice. */
MIK_INLINE double f64q_splat(const double *p)
{
    double x = *p;
    __asm__ volatile("" : "+w"(x));
    return x;
}
MIK_INLINE float64x2_t f64q_step(double x, float64x2_t y, float64x2_t c) { return vfmaq_n_f64(c, y, x); }
MIK_INLINE float64x2_t f64q_fma(float64x2_t x, float64x2_t y, float64x2_t c) { return vfmaq_f64(c, x, y); }
MIK_INLINE float64x2_t f64q_add(float64x2_t x, float64x2_t y) { return vaddq_f64(x, y); }
MIK_INLINE float64x2_t f64q_get(const double *p) { return vld1q_f64(p); }
MIK_INLINE float64x2_t f64q_get_part(const double *p, int last)
{
    float64x2_t x = vld1q_lane_f64(p, vdupq_n_f64(0), 0);
    (void)last;
    return x;
}
MIK_INLINE void f64q_put(double *p, float64x2_t x) { vst1q_f64(p, x); }
MIK_INLINE void f64q_put_part(double *p, float64x2_t x, int last)
{
    vst1q_lane_f64(p, x, 0);
    (void)last;
}
MIK_INLINE int f64q_first(int n) { return n; }
MIK_INLINE double f64q_sum(float64x2_t x) { return vaddvq_f64(x); }

/* The sums of four vectors: pairwise additions keep the order of the vectors. */
MIK_INLINE void f64q_sum4(float64x2_t x, float64x2_t y, float64x2_t z, float64x2_t w, double *sum)
{
    vst1q_f64(sum, vpaddq_f64(x, y));
    vst1q_f64(sum + 2, vpaddq_f64(z, w));
}
