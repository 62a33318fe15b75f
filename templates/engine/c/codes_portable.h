/* SPDX-License-Identifier: GPL-3.0-or-later OR LicenseRef-mikgen-output */
/* Codes to floats in C99. */
#pragma once
#include "float16.h"
#include "vec_portable_f32.h"

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
/* Eight sums, of eight numbers each time: those of the second four are added to the first. */
typedef f32p_vec f32p_eight;
MIK_INLINE f32p_vec f32p_eight_zero(void) { return f32p_zero(); }
MIK_INLINE f32p_vec f32p_eight_add(f32p_vec x, const float *p) { return f32p_add(x, f32p_add(f32p_load(p), f32p_load(p + 4))); }
MIK_INLINE float f32p_eight_sum(f32p_vec x) { return f32p_sum(x); }
