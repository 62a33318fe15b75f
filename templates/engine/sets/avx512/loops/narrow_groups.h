/* SPDX-License-Identifier: GPL-3.0-or-later OR LicenseRef-mikgen-output */
/* AVX-512: the same in lanes of 16 bits, as bytes. Written for int8_t. */
#pragma once
#include "groups.h"
#include "narrow_bytes.h"

/* Of pairs; one is a lane. */
MIK_INLINE MIK_AVX512L i16z32 i16z32_member_i8(__m512i pairs, int which)
{
    if ((int8_t)-1 < 0)
        return (i16z32)_mm512_srai_epi16(which ? pairs : _mm512_slli_epi16(pairs, 8), 8);
    return (i16z32)(which ? _mm512_srli_epi16(pairs, 8) : _mm512_and_si512(pairs, _mm512_set1_epi16(255)));
}
MIK_INLINE MIK_AVX512L i16z32 i16z32_load_member_i8(const int8_t *p, int size, int which)
{
    if (size == 2)
        return i16z32_member_i8(_mm512_loadu_si512(p), which);
    return (i16z32)_mm512_cvtepi8_epi16((__m256i)u8z32_load_member((const uint8_t *)(const void *)p, size, which));
}
MIK_INLINE MIK_AVX512L i16z32 i16z32_load_member_part_i8(const int8_t *p, int size, int which, int64_t n)
{
    if (size == 2)
        return i16z32_member_i8(_mm512_maskz_loadu_epi16(maskz32_first(n), p), which);
    return (i16z32)_mm512_cvtepi8_epi16((__m256i)u8z32_load_member_part((const uint8_t *)(const void *)p, size, which, n));
}
MIK_INLINE MIK_AVX512L u8z32 i16z32_bytes(i16z32 x) { return (u8z32)_mm512_cvtepi16_epi8((__m512i)x); }
MIK_INLINE MIK_AVX512L void i16z32_store_groups2_i8(int8_t *p, i16z32 x, i16z32 y)
{
    u8z32_store_groups2((uint8_t *)(void *)p, i16z32_bytes(x), i16z32_bytes(y));
}
MIK_INLINE MIK_AVX512L void i16z32_store_groups3_i8(int8_t *p, i16z32 x, i16z32 y, i16z32 z)
{
    u8z32_store_groups3((uint8_t *)(void *)p, i16z32_bytes(x), i16z32_bytes(y), i16z32_bytes(z));
}
MIK_INLINE MIK_AVX512L void i16z32_store_groups4_i8(int8_t *p, i16z32 x, i16z32 y, i16z32 z, i16z32 w)
{
    u8z32_store_groups4((uint8_t *)(void *)p, i16z32_bytes(x), i16z32_bytes(y), i16z32_bytes(z), i16z32_bytes(w));
}
MIK_INLINE MIK_AVX512L void i16z32_store_groups6_i8(int8_t *p, i16z32 x0, i16z32 x1, i16z32 x2, i16z32 x3, i16z32 x4, i16z32 x5)
{
    u8z32_store_groups6((uint8_t *)(void *)p, i16z32_bytes(x0), i16z32_bytes(x1), i16z32_bytes(x2), i16z32_bytes(x3), i16z32_bytes(x4),
                        i16z32_bytes(x5));
}
MIK_INLINE MIK_AVX512L void i16z32_store_groups8_i8(int8_t *p, i16z32 x0, i16z32 x1, i16z32 x2, i16z32 x3, i16z32 x4, i16z32 x5, i16z32 x6,
                                                    i16z32 x7)
{
    u8z32_store_groups8((uint8_t *)(void *)p, i16z32_bytes(x0), i16z32_bytes(x1), i16z32_bytes(x2), i16z32_bytes(x3), i16z32_bytes(x4),
                        i16z32_bytes(x5), i16z32_bytes(x6), i16z32_bytes(x7));
}
