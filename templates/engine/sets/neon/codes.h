/* SPDX-License-Identifier: GPL-3.0-or-later OR LicenseRef-mikgen-output */
/* Codes to floats on NEON. */
#pragma once
#include "f32.h"

typedef uint32x4_t f32q_words;
typedef int32x4_t f32q_book;
MIK_INLINE float32x4_t f32q_spread(const float *p) { return vld1q_dup_f32(p); }
MIK_INLINE int32x4_t f32q_book_of(int least) { return vdupq_n_s32(least); }
MIK_INLINE uint32x4_t f32q_words_at(const void *p)
{
    uint32x4_t words;
    memcpy(&words, p, sizeof words);
    return words;
}
/* Bits 4 j to 4 j + 3 of each word. */
MIK_INLINE float32x4_t f32q_nibble(uint32x4_t words, const int j, int32x4_t book)
{
    const uint32x4_t bits = vandq_u32(vshlq_u32(words, vdupq_n_s32(-4 * j)), vdupq_n_u32(15));
    return vcvtq_f32_s32(vaddq_s32(vreinterpretq_s32_u32(bits), book));
}
MIK_INLINE float32x4_t f32q_byte(const void *p, int least)
{
    uint32_t four;
    memcpy(&four, p, sizeof four);
    const uint8x8_t bytes = vreinterpret_u8_u32(vdup_n_u32(four));
    if (least)
        return vcvtq_f32_s32(vmovl_s16(vget_low_s16(vmovl_s8(vreinterpret_s8_u8(bytes)))));
    return vcvtq_f32_u32(vmovl_u16(vget_low_u16(vmovl_u8(bytes))));
}
MIK_INLINE float32x4_t f32q_halves(const void *p)
{
    uint16x4_t bits;
    memcpy(&bits, p, sizeof bits);
    return vcvt_f32_f16(vreinterpret_f16_u16(bits));
}
MIK_INLINE float32x4_t f32q_bf16(const void *p)
{
    uint16x4_t bits;
    memcpy(&bits, p, sizeof bits);
    return vreinterpretq_f32_u32(vshll_n_u16(bits, 16));
}
/* Plus `more` where the columns' bits are set. */
MIK_INLINE float32x4_t f32q_with_bit(float32x4_t x, const unsigned char *bits, int v, float more)
{
    static const uint32_t each[] = {1, 2, 4, 8};
    const uint32x4_t set = vtstq_u32(vdupq_n_u32((uint32_t)(bits[v / 2] >> v % 2 * 4)), vld1q_u32(each));
    return vaddq_f32(x, vreinterpretq_f32_u32(vandq_u32(set, vreinterpretq_u32_f32(vdupq_n_f32(more)))));
}
MIK_INLINE float32x4_t f32q_sub(float32x4_t x, float32x4_t y) { return vsubq_f32(x, y); }
MIK_INLINE float32x4_t f32q_mul(float32x4_t x, float32x4_t y) { return vmulq_f32(x, y); }

/* Codes less zero points that are integers: what a book has is another one in each column, which takes as long. */
typedef int32x4_t f32q_less;
MIK_INLINE int32x4_t f32q_less_of(float32x4_t zero, int least, const int bits)
{
    return vsubq_s32(vdupq_n_s32(bits < 8 ? least : 0), vcvtq_s32_f32(zero));
}
MIK_INLINE float32x4_t f32q_nibble_less(uint32x4_t words, const int j, int32x4_t less) { return f32q_nibble(words, j, less); }
MIK_INLINE float32x4_t f32q_byte_less(const void *p, int least, int32x4_t less)
{
    uint32_t four;
    memcpy(&four, p, sizeof four);
    const uint8x8_t bytes = vreinterpret_u8_u32(vdup_n_u32(four));
    const int16x8_t half = least ? vmovl_s8(vreinterpret_s8_u8(bytes)) : vreinterpretq_s16_u16(vmovl_u8(bytes));
    return vcvtq_f32_s32(vaddw_s16(less, vget_low_s16(half)));
}
