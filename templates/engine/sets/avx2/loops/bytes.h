/* SPDX-License-Identifier: GPL-3.0-or-later OR LicenseRef-mikgen-output */
/* AVX2: lanes of 8 bits, or 16; written for bytes without a sign. */
#pragma once
#include "narrow_mask.h"

typedef uint8_t u8y32 __attribute__((vector_size(32)));

MIK_INLINE MIK_AVX2L u8y32 u8y32_load(const uint8_t *p) { return (u8y32)_mm256_loadu_si256((const __m256i *)(const void *)p); }
/* Fewer than 16 bytes, by words that overlap where they are not as many as a power of 2: there are no masked loads of bytes. */
MIK_INLINE MIK_AVX2L __m128i u8y32_load_few(const uint8_t *p, int64_t bytes)
{
    uint64_t low = 0, high = 0;
    uint32_t word[2];
    uint16_t half[2];
    if (bytes >= 8) {
        memcpy(&low, p, 8);
        memcpy(&high, (const char *)(const void *)p + bytes - 8, 8);
        high = bytes > 8 ? high >> (8 * (16 - bytes)) : 0;
    } else if (bytes >= 4) {
        memcpy(&word[0], p, 4);
        memcpy(&word[1], (const char *)(const void *)p + bytes - 4, 4);
        low = word[0] | (uint64_t)word[1] << (8 * (bytes - 4));
    } else if (bytes >= 2) {
        memcpy(&half[0], p, 2);
        memcpy(&half[1], (const char *)(const void *)p + bytes - 2, 2);
        low = half[0] | (uint64_t)half[1] << (8 * (bytes - 2));
    } else if (bytes == 1) {
        low = *(const unsigned char *)(const void *)p;
    }
    return _mm_set_epi64x((long long)high, (long long)low);
}
MIK_INLINE MIK_AVX2L u8y32 u8y32_load_part(const uint8_t *p, int64_t n)
{
    const int64_t bytes = n * (int64_t)sizeof *p;
    if (bytes >= 32)
        return u8y32_load(p);
    if (bytes < 16)
        return (u8y32)_mm256_inserti128_si256(_mm256_setzero_si256(), u8y32_load_few(p, bytes), 0);
    const __m128i low = _mm_loadu_si128((const __m128i *)(const void *)p);
    return (u8y32)_mm256_inserti128_si256(_mm256_castsi128_si256(low), u8y32_load_few(p + 16 / sizeof *p, bytes - 16), 1);
}
MIK_INLINE MIK_AVX2L void u8y32_store_few(uint8_t *p, __m128i x, int64_t bytes)
{
    char *at = (char *)(void *)p;
    if (bytes & 8) {
        _mm_storel_epi64((__m128i *)(void *)at, x);
        x = _mm_unpackhi_epi64(x, x);
        at += 8;
    }
    uint64_t left = (uint64_t)_mm_cvtsi128_si64(x);
    if (bytes & 4) {
        memcpy(at, &left, 4);
        left >>= 32;
        at += 4;
    }
    if (bytes & 2) {
        memcpy(at, &left, 2);
        left >>= 16;
        at += 2;
    }
    if (bytes & 1)
        memcpy(at, &left, 1);
}
MIK_INLINE MIK_AVX2L void u8y32_store_part(uint8_t *p, u8y32 x, int64_t n)
{
    const int64_t bytes = n * (int64_t)sizeof *p;
    __m128i rest = _mm256_castsi256_si128((__m256i)x);
    if (bytes >= 32) {
        memcpy(p, &x, sizeof x);
        return;
    }
    if (bytes >= 16) {
        memcpy(p, &rest, sizeof rest);
        rest = _mm256_extracti128_si256((__m256i)x, 1);
        p += 16 / sizeof *p;
    }
    u8y32_store_few(p, rest, bytes & 15);
}
/* A non-temporal store, if `non_temporal`, to where a vector is aligned. */
MIK_INLINE MIK_AVX2L void u8y32_store_non_temporal(uint8_t *p, u8y32 x, int non_temporal)
{
    if (non_temporal)
        _mm256_stream_si256((__m256i *)(void *)p, (__m256i)x);
    else
        memcpy(p, &x, sizeof x);
}
MIK_INLINE MIK_AVX2L u8y32 u8y32_select(masky32 where, u8y32 x, u8y32 y)
{
    return (u8y32)_mm256_blendv_epi8((__m256i)y, (__m256i)x, (__m256i)where);
}
MIK_INLINE MIK_AVX2L u8y32 u8y32_max(u8y32 x, u8y32 y) { return (u8y32)_mm256_max_epu8((__m256i)x, (__m256i)y); }
MIK_INLINE MIK_AVX2L u8y32 u8y32_min(u8y32 x, u8y32 y) { return (u8y32)_mm256_min_epu8((__m256i)x, (__m256i)y); }

/* Reduces all lanes, by halves. */
MIK_INLINE MIK_AVX2L uint8_t u8y32_greatest(u8y32 x)
{
    __m128i z = _mm_max_epu8(_mm256_castsi256_si128((__m256i)x), _mm256_extracti128_si256((__m256i)x, 1));
    z = _mm_max_epu8(z, _mm_srli_si128(z, 8));
    z = _mm_max_epu8(z, _mm_srli_si128(z, 4));
    z = _mm_max_epu8(z, _mm_srli_si128(z, 2));
    z = sizeof(uint8_t) == 1 ? _mm_max_epu8(z, _mm_srli_si128(z, 1)) : z;
    return (uint8_t)_mm_cvtsi128_si32(z);
}
MIK_INLINE MIK_AVX2L uint8_t u8y32_least(u8y32 x)
{
    __m128i z = _mm_min_epu8(_mm256_castsi256_si128((__m256i)x), _mm256_extracti128_si256((__m256i)x, 1));
    z = _mm_min_epu8(z, _mm_srli_si128(z, 8));
    z = _mm_min_epu8(z, _mm_srli_si128(z, 4));
    z = _mm_min_epu8(z, _mm_srli_si128(z, 2));
    z = sizeof(uint8_t) == 1 ? _mm_min_epu8(z, _mm_srli_si128(z, 1)) : z;
    return (uint8_t)_mm_cvtsi128_si32(z);
}
MIK_INLINE MIK_AVX2L uint8_t u8y32_and(u8y32 x)
{
    const __m128i z = _mm_and_si128(_mm256_castsi256_si128((__m256i)x), _mm256_extracti128_si256((__m256i)x, 1));
    uint64_t all = (uint64_t)z[0] & (uint64_t)z[1];
    for (unsigned bits = 32; bits >= 8 * sizeof(uint8_t); bits /= 2)
        all &= all >> bits;
    return (uint8_t)all;
}
MIK_INLINE MIK_AVX2L uint8_t u8y32_or(u8y32 x)
{
    const __m128i z = _mm_or_si128(_mm256_castsi256_si128((__m256i)x), _mm256_extracti128_si256((__m256i)x, 1));
    uint64_t all = (uint64_t)z[0] | (uint64_t)z[1];
    for (unsigned bits = 32; bits >= 8 * sizeof(uint8_t); bits /= 2)
        all |= all >> bits;
    return (uint8_t)all;
}
MIK_INLINE MIK_AVX2L uint8_t u8y32_xor(u8y32 x)
{
    const __m128i z = _mm_xor_si128(_mm256_castsi256_si128((__m256i)x), _mm256_extracti128_si256((__m256i)x, 1));
    uint64_t all = (uint64_t)z[0] ^ (uint64_t)z[1];
    for (unsigned bits = 32; bits >= 8 * sizeof(uint8_t); bits /= 2)
        all ^= all >> bits;
    return (uint8_t)all;
}
