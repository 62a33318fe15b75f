/* SPDX-License-Identifier: GPL-3.0-or-later OR LicenseRef-mikgen-output */
/* The vectors of i32 in C99: 16 bytes where the compiler knows vector types, else a struct of four lanes. */
#pragma once
#include "../../c/base.h"

#if MIK_VECTORS
typedef uint32_t i32p_vec __attribute__((vector_size(4 * sizeof(uint32_t))));
#define I32P_AT(x, i) (x)[i]
#define I32P_ALL(...) {__VA_ARGS__}
#else
typedef struct {
    uint32_t lane[4];
} i32p_vec;
#define I32P_AT(x, i) (x).lane[i]
#define I32P_ALL(...) \
    { \
        { \
            __VA_ARGS__ \
        } \
    }
#endif
typedef i32p_vec i32p_operand, i32p_element;
typedef int i32p_mask;
MIK_INLINE i32p_vec i32p_zero(void)
{
    i32p_vec x;
    memset(&x, 0, sizeof x);
    return x;
}
MIK_INLINE i32p_vec i32p_load(const uint32_t *p)
{
    i32p_vec x;
    memcpy(&x, p, sizeof x);
    return x;
}
MIK_INLINE i32p_vec i32p_fetch(const uint32_t *p) { return i32p_load(p); }
/* The first `last` lanes, 0 < last < 4. */
MIK_INLINE i32p_vec i32p_load_part(const uint32_t *p, int last)
{
    const i32p_vec x = I32P_ALL(p[0], last > 1 ? p[1] : 0, last > 2 ? p[2] : 0, 0);
    return x;
}
MIK_INLINE i32p_vec i32p_splat(const uint32_t *p)
{
    const i32p_vec x = I32P_ALL(*p, *p, *p, *p);
    return x;
}
MIK_INLINE i32p_vec i32p_fma(i32p_vec x, i32p_vec y, i32p_vec c)
{
#if MIK_VECTORS
    return c + x * y;
#else
    for (int i = 0; i < 4; i++)
        I32P_AT(c, i) += I32P_AT(x, i) * I32P_AT(y, i);
    return c;
#endif
}
MIK_INLINE i32p_vec i32p_add(i32p_vec x, i32p_vec y)
{
#if MIK_VECTORS
    return x + y;
#else
    for (int i = 0; i < 4; i++)
        I32P_AT(x, i) += I32P_AT(y, i);
    return x;
#endif
}
MIK_INLINE i32p_vec i32p_get(const uint32_t *p)
{
    i32p_vec x;
    memcpy(&x, p, sizeof x);
    return x;
}
MIK_INLINE i32p_vec i32p_get_part(const uint32_t *p, int last)
{
    i32p_vec x;
    memset(&x, 0, sizeof x);
    memcpy(&x, p, (size_t)last * sizeof *p);
    return x;
}
MIK_INLINE void i32p_put(uint32_t *p, i32p_vec x) { memcpy(p, &x, sizeof x); }
MIK_INLINE void i32p_put_part(uint32_t *p, i32p_vec x, int last) { memcpy(p, &x, (size_t)last * sizeof *p); }
MIK_INLINE int i32p_first(int n) { return n; }
MIK_INLINE uint32_t i32p_sum(i32p_vec x)
{
    uint32_t sum = I32P_AT(x, 0);
    for (int i = 1; i < 4; i++)
        sum += I32P_AT(x, i);
    return sum;
}
#undef I32P_AT
#undef I32P_ALL
