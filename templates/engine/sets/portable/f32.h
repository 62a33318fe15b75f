/* SPDX-License-Identifier: GPL-3.0-or-later OR LicenseRef-mikgen-output */
/* The vectors of f32 in C99: 16 bytes where the compiler knows vector types, else a struct of four lanes. */
#pragma once
#include "../../c/base.h"

#if MIK_VECTORS
typedef float f32p_vec __attribute__((vector_size(4 * sizeof(float))));
#define F32P_AT(x, i) (x)[i]
#define F32P_ALL(...) {__VA_ARGS__}
#else
typedef struct {
    float lane[4];
} f32p_vec;
#define F32P_AT(x, i) (x).lane[i]
#define F32P_ALL(...) \
    { \
        { \
            __VA_ARGS__ \
        } \
    }
#endif
typedef f32p_vec f32p_operand, f32p_element;
typedef int f32p_mask;
MIK_INLINE f32p_vec f32p_zero(void)
{
    f32p_vec x;
    memset(&x, 0, sizeof x);
    return x;
}
MIK_INLINE f32p_vec f32p_load(const float *p)
{
    f32p_vec x;
    memcpy(&x, p, sizeof x);
    return x;
}
MIK_INLINE f32p_vec f32p_fetch(const float *p) { return f32p_load(p); }
/* The first `last` lanes, 0 < last < 4. */
MIK_INLINE f32p_vec f32p_load_part(const float *p, int last)
{
    const f32p_vec x = F32P_ALL(p[0], last > 1 ? p[1] : 0, last > 2 ? p[2] : 0, 0);
    return x;
}
MIK_INLINE f32p_vec f32p_splat(const float *p)
{
    const f32p_vec x = F32P_ALL(*p, *p, *p, *p);
    return x;
}
MIK_INLINE f32p_vec f32p_fma(f32p_vec x, f32p_vec y, f32p_vec c)
{
#if MIK_VECTORS
    return c + x * y;
#else
    for (int i = 0; i < 4; i++)
        F32P_AT(c, i) += F32P_AT(x, i) * F32P_AT(y, i);
    return c;
#endif
}
MIK_INLINE f32p_vec f32p_add(f32p_vec x, f32p_vec y)
{
#if MIK_VECTORS
    return x + y;
#else
    for (int i = 0; i < 4; i++)
        F32P_AT(x, i) += F32P_AT(y, i);
    return x;
#endif
}
MIK_INLINE f32p_vec f32p_get(const float *p)
{
    f32p_vec x;
    memcpy(&x, p, sizeof x);
    return x;
}
MIK_INLINE f32p_vec f32p_get_part(const float *p, int last)
{
    f32p_vec x;
    memset(&x, 0, sizeof x);
    memcpy(&x, p, (size_t)last * sizeof *p);
    return x;
}
MIK_INLINE void f32p_put(float *p, f32p_vec x) { memcpy(p, &x, sizeof x); }
MIK_INLINE void f32p_put_part(float *p, f32p_vec x, int last) { memcpy(p, &x, (size_t)last * sizeof *p); }
MIK_INLINE int f32p_first(int n) { return n; }
MIK_INLINE float f32p_sum(f32p_vec x)
{
    float sum = F32P_AT(x, 0);
    for (int i = 1; i < 4; i++)
        sum += F32P_AT(x, i);
    return sum;
}
#undef F32P_AT
#undef F32P_ALL
