/* SPDX-License-Identifier: GPL-3.0-or-later OR LicenseRef-mikgen-output */
#pragma once
#include "store_half.h"

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
