/* SPDX-License-Identifier: GPL-3.0-or-later OR LicenseRef-mikgen-output */
/* Storing finished sums as 16-bit floats, rounded as the scalar conversions are: to nearest even. */
#pragma once
#include "processor.h"
#include "store_half.h"

#if MIK_X86
MIK_STORE_HALF_AVX512
static void mik_store_half_rows_avx512(const float *t, int64_t ldt, int64_t rows, int64_t cols, uint16_t *c, int64_t c_m)
{
    for (; rows > 16; rows -= 16, t += 16 * ldt, c += 16 * c_m)
        mik_store_half_rows_avx512(t, ldt, 16, cols, c, c_m);
    int64_t j = 0;
    for (; j + 32 <= cols; j += 32)
        for (int64_t i = 0; i < rows; i++) {
            const float *from = t + i * ldt + j;
            uint16_t *to = c + i * c_m + j;
            _mm256_storeu_si256((__m256i *)(void *)(to), mik_store_half_sixteen(_mm512_loadu_ps(from)));
            _mm256_storeu_si256((__m256i *)(void *)(to + 16), mik_store_half_sixteen(_mm512_loadu_ps(from + 16)));
        }
    for (; cols >= 8 && j < cols; j += 8) {
        j = mik_min(j, cols - 8);      /* some once more */
        for (int64_t i = 0; i < rows; i++)
            _mm_storeu_si128((__m128i *)(void *)(c + i * c_m + j), mik_store_half_eight(_mm256_loadu_ps(t + i * ldt + j)));
    }
    for (int64_t i = 0; i < rows; i++)
        for (int64_t n = j; n < cols; n++)
            c[i * c_m + n] = mik_float_to_half(t[i * ldt + n]);
}

MIK_STORE_HALF
static void mik_store_half_rows(const float *t, int64_t ldt, int64_t rows, int64_t cols, uint16_t *c, int64_t c_m)
{
    for (; rows > 16; rows -= 16, t += 16 * ldt, c += 16 * c_m)
        mik_store_half_rows(t, ldt, 16, cols, c, c_m);
    int64_t j = 0;
    for (; j + 16 <= cols; j += 16)
        for (int64_t i = 0; i < rows; i++) {
            const float *from = t + i * ldt + j;
            uint16_t *to = c + i * c_m + j;
            _mm_storeu_si128((__m128i *)(void *)(to), mik_store_half_eight(_mm256_loadu_ps(from)));
            _mm_storeu_si128((__m128i *)(void *)(to + 8), mik_store_half_eight(_mm256_loadu_ps(from + 8)));
        }
    for (; cols >= 8 && j < cols; j += 8) {
        j = mik_min(j, cols - 8);      /* some once more */
        for (int64_t i = 0; i < rows; i++)
            _mm_storeu_si128((__m128i *)(void *)(c + i * c_m + j), mik_store_half_eight(_mm256_loadu_ps(t + i * ldt + j)));
    }
    for (int64_t i = 0; i < rows; i++)
        for (int64_t n = j; n < cols; n++)
            c[i * c_m + n] = mik_float_to_half(t[i * ldt + n]);
}
#endif

/* c(i, j) = t[i * ldt + j] as half. */
MIK_SHARED void mik_store_half(int isa, const float *t, int64_t ldt, int64_t rows, int64_t cols, uint16_t *c, int64_t c_m, int64_t c_n)
{
#if MIK_X86
#if MIK_STORES_HALF
    const int vectors = MIK_RUNS(isa, avx2) && mik_has(mik_sets(), MIK_HAS_F16C); /* all with AVX2 do, but a hypervisor may hide it */
#else
    const int vectors = MIK_RUNS(isa, avx2);
#endif
    if (vectors && c_n == 1) {
        (MIK_RUNS(isa, avx512) ? mik_store_half_rows_avx512 : mik_store_half_rows)(t, ldt, rows, cols, c, c_m);
        return;
    }
#endif
    (void)isa;
    for (int64_t i = 0; i < rows; i++)
        for (int64_t j = 0; j < cols; j++)
            c[i * c_m + j * c_n] = mik_float_to_half(t[i * ldt + j]);
}
