/* SPDX-License-Identifier: GPL-3.0-or-later OR LicenseRef-mikgen-output */
/* Codes to floats in C99. */
#pragma once
#include "../../c/float16.h"
#include "f32.h"

typedef struct {
    uint32_t lane[4];
} f32p_words;
typedef int f32p_book;
MIK_INLINE f32p_vec f32p_spread(const float *p) { return f32p_splat(p); }
MIK_INLINE int f32p_book_of(int least) { return least; }
MIK_INLINE f32p_words f32p_words_at(const void *p)
{
    f32p_words words;
    memcpy(&words, p, sizeof words);
    return words;
}
/* Bits 4 j to 4 j + 3 of each word. */
MIK_INLINE f32p_vec f32p_nibble(f32p_words words, const int j, int book)
{
    float x[4];
    for (int i = 0; i < 4; i++)
        x[i] = (float)((int)(words.lane[i] >> 4 * j & 15) + book);
    return f32p_load(x);
}
MIK_INLINE f32p_vec f32p_byte(const void *p, int least)
{
    const unsigned char *bytes = p;
    float x[4];
    for (int i = 0; i < 4; i++)
        x[i] = (float)(least && bytes[i] > 127 ? bytes[i] - 256 : bytes[i]);
    return f32p_load(x);
}
MIK_INLINE f32p_vec f32p_halves(const void *p)
{
    uint16_t bits[4];
    float x[4] = {0};
    memcpy(bits, p, sizeof bits);
#if MIK_USES_HALF
    for (int i = 0; i < 4; i++)
        x[i] = mik_half_to_float(bits[i]);
#endif
    return f32p_load(x);
}
MIK_INLINE f32p_vec f32p_bf16(const void *p)
{
    uint16_t bits[4];
    float x[4] = {0};
    memcpy(bits, p, sizeof bits);
#if MIK_USES_BF16
    for (int i = 0; i < 4; i++)
        x[i] = mik_bf16_to_float(bits[i]);
#endif
    return f32p_load(x);
}
/* Plus `more` where the columns' bits are set. */
MIK_INLINE f32p_vec f32p_with_bit(f32p_vec x, const unsigned char *bits, int v, float more)
{
    float add[4];
    for (int i = 0; i < 4; i++)
        add[i] = bits[v / 2] >> (v % 2 * 4 + i) & 1 ? more : 0;
    return f32p_add(x, f32p_load(add));
}
MIK_INLINE f32p_vec f32p_sub(f32p_vec x, f32p_vec y)
{
#if MIK_VECTORS
    return x - y;
#else
    for (int i = 0; i < 4; i++)
        F32P_AT(x, i) -= F32P_AT(y, i);
    return x;
#endif
}
MIK_INLINE f32p_vec f32p_mul(f32p_vec x, f32p_vec y)
{
#if MIK_VECTORS
    return x * y;
#else
    for (int i = 0; i < 4; i++)
        F32P_AT(x, i) *= F32P_AT(y, i);
    return x;
#endif
}

/* Codes less zero points that are integers. */
typedef f32p_vec f32p_less;
MIK_INLINE f32p_vec f32p_less_of(f32p_vec zero, int least, const int bits)
{
    const float above = (float)(bits < 8 ? least : 0);
    return f32p_sub(zero, f32p_splat(&above));
}
MIK_INLINE f32p_vec f32p_nibble_less(f32p_words words, const int j, f32p_vec less) { return f32p_sub(f32p_nibble(words, j, 0), less); }
MIK_INLINE f32p_vec f32p_byte_less(const void *p, int least, f32p_vec less) { return f32p_sub(f32p_byte(p, least), less); }
