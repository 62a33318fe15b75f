/* SPDX-License-Identifier: GPL-3.0-or-later OR LicenseRef-mikgen-output */
/* The vectors of f64 in C99: 16 bytes where the compiler knows vector types, else a struct of two lanes. */
#pragma once
#include "../../c/base.h"

#if MIK_VECTORS
typedef double f64p_vec __attribute__((vector_size(2 * sizeof(double))));
#define F64P_AT(x, i) (x)[i]
#define F64P_ALL(...) {__VA_ARGS__}
#else
typedef struct {
    double lane[2];
} f64p_vec;
#define F64P_AT(x, i) (x).lane[i]
#define F64P_ALL(...) \
    { \
        { \
            __VA_ARGS__ \
        } \
    }
#endif
typedef f64p_vec f64p_operand, f64p_element;
typedef int f64p_mask;
MIK_INLINE f64p_vec f64p_zero(void)
{
    f64p_vec x;
    memset(&x, 0, sizeof x);
    return x;
}
MIK_INLINE f64p_vec f64p_load(const double *p)
{
    f64p_vec x;
    memcpy(&x, p, sizeof x);
    return x;
}
MIK_INLINE f64p_vec f64p_fetch(const double *p) { return f64p_load(p); }
/* The first `last` lanes, 0 < last < 2. */
MIK_INLINE f64p_vec f64p_load_part(const double *p, int last)
{
    const f64p_vec x = F64P_ALL(p[0], 0);
    (void)last;
    return x;
}
MIK_INLINE f64p_vec f64p_splat(const double *p)
{
    const f64p_vec x = F64P_ALL(*p, *p);
    return x;
}
MIK_INLINE f64p_vec f64p_fma(f64p_vec x, f64p_vec y, f64p_vec c)
{
#if MIK_VECTORS
    return c + x * y;
#else
    for (int i = 0; i < 2; i++)
        F64P_AT(c, i) += F64P_AT(x, i) * F64P_AT(y, i);
    return c;
#endif
}
MIK_INLINE f64p_vec f64p_add(f64p_vec x, f64p_vec y)
{
#if MIK_VECTORS
    return x + y;
#else
    for (int i = 0; i < 2; i++)
        F64P_AT(x, i) += F64P_AT(y, i);
    return x;
#endif
}
MIK_INLINE f64p_vec f64p_get(const double *p)
{
    f64p_vec x;
    memcpy(&x, p, sizeof x);
    return x;
}
MIK_INLINE f64p_vec f64p_get_part(const double *p, int last)
{
    f64p_vec x;
    memset(&x, 0, sizeof x);
    memcpy(&x, p, (size_t)last * sizeof *p);
    return x;
}
MIK_INLINE void f64p_put(double *p, f64p_vec x) { memcpy(p, &x, sizeof x); }
MIK_INLINE void f64p_put_part(double *p, f64p_vec x, int last) { memcpy(p, &x, (size_t)last * sizeof *p); }
MIK_INLINE int f64p_first(int n) { return n; }
MIK_INLINE double f64p_sum(f64p_vec x)
{
    double sum = F64P_AT(x, 0);
    for (int i = 1; i < 2; i++)
        sum += F64P_AT(x, i);
    return sum;
}
#undef F64P_AT
#undef F64P_ALL
