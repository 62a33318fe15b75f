/* SPDX-License-Identifier: GPL-3.0-or-later OR LicenseRef-mikgen-output */
/* The vectors of i8 in C99: four sums; an operand has a pair of int16_t for each. */
#pragma once
#include "../../c/base.h"

#if MIK_VECTORS
typedef int32_t i8p_vec __attribute__((vector_size(4 * sizeof(int32_t))));
#define I8P_AT(x, i) (x)[i]
#define I8P_ALL(...) {__VA_ARGS__}
#else
typedef struct {
    int32_t lane[4];
} i8p_vec;
#define I8P_AT(x, i) (x).lane[i]
#define I8P_ALL(...) \
    { \
        { \
            __VA_ARGS__ \
        } \
    }
#endif
/* Pairs of int16_t. */
#if MIK_VECTORS
typedef i8p_vec i8p_operand;
#else
typedef struct {
    int16_t lane[8];
} i8p_operand;
#endif
typedef i8p_operand i8p_element;
typedef int i8p_mask;
MIK_INLINE i8p_vec i8p_zero(void)
{
    i8p_vec x;
    memset(&x, 0, sizeof x);
    return x;
}
MIK_INLINE i8p_operand i8p_load(const int16_t *p)
{
    i8p_operand x;
    memcpy(&x, p, sizeof x);
    return x;
}
MIK_INLINE i8p_operand i8p_fetch(const int16_t *p) { return i8p_load(p); }
MIK_INLINE i8p_operand i8p_load_part(const int16_t *p, int last)
{
    i8p_operand x;
    memset(&x, 0, sizeof x);
    memcpy(&x, p, (size_t)last * 2 * sizeof *p);
    return x;
}
MIK_INLINE i8p_operand i8p_splat(const int16_t *p)
{
#if MIK_VECTORS
    const int32_t pair = mik_word(p);
    const i8p_operand x = {pair, pair, pair, pair};
#else
    i8p_operand x;
    for (int i = 0; i < 4; i++)
        x.lane[2 * i] = p[0], x.lane[2 * i + 1] = p[1];
#endif
    return x;
}
#if MIK_VECTORS && !(MIK_X86 && defined(__SSE2__))
/* The halves of the pairs that are not the upper ones, with their signs. */
MIK_INLINE i8p_vec i8p_low(i8p_operand x)
{
    const i8p_vec half = x & 0xffff, sign = half & 0x8000;
    return half - 2 * sign;
}
#endif
MIK_INLINE i8p_vec i8p_fma(i8p_operand x, i8p_operand y, i8p_vec c)
{
#if MIK_X86 && defined(__SSE2__)
    return c + (i8p_vec)_mm_madd_epi16((__m128i)x, (__m128i)y);
#elif MIK_VECTORS
    return c + (x >> 16) * (y >> 16) + i8p_low(x) * i8p_low(y);
#else
    for (int i = 0; i < 4; i++)
        I8P_AT(c, i) += x.lane[2 * i] * y.lane[2 * i] + x.lane[2 * i + 1] * y.lane[2 * i + 1];
    return c;
#endif
}
MIK_INLINE i8p_vec i8p_add(i8p_vec x, i8p_vec y)
{
#if MIK_VECTORS
    return x + y;
#else
    for (int i = 0; i < 4; i++)
        I8P_AT(x, i) += I8P_AT(y, i);
    return x;
#endif
}
MIK_INLINE i8p_vec i8p_get(const int32_t *p)
{
    i8p_vec x;
    memcpy(&x, p, sizeof x);
    return x;
}
MIK_INLINE i8p_vec i8p_get_part(const int32_t *p, int last)
{
    i8p_vec x;
    memset(&x, 0, sizeof x);
    memcpy(&x, p, (size_t)last * sizeof *p);
    return x;
}
MIK_INLINE void i8p_put(int32_t *p, i8p_vec x) { memcpy(p, &x, sizeof x); }
MIK_INLINE void i8p_put_part(int32_t *p, i8p_vec x, int last) { memcpy(p, &x, (size_t)last * sizeof *p); }
MIK_INLINE int i8p_first(int n) { return n; }
MIK_INLINE int32_t i8p_sum(i8p_vec x)
{
    int32_t sum = I8P_AT(x, 0);
    for (int i = 1; i < 4; i++)
        sum += I8P_AT(x, i);
    return sum;
}
#undef I8P_AT
#undef I8P_ALL
