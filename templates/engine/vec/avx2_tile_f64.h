/* AVX2: tiles of 4 by 4 doubles, turned round in registers. */
#pragma once
#include "avx2_double.h"

/* Row i of the one is column i of the other, of four each. */
MIK_INLINE MIK_AVX2L void f64y4_turn(double *to, int64_t to_apart, const double *from, int64_t from_apart)
{
    const __m256d a = _mm256_loadu_pd(from), b = _mm256_loadu_pd(from + from_apart);
    const __m256d c = _mm256_loadu_pd(from + 2 * from_apart), d = _mm256_loadu_pd(from + 3 * from_apart);
    const __m256d even = _mm256_unpacklo_pd(a, b), odd = _mm256_unpackhi_pd(a, b);
    const __m256d even_below = _mm256_unpacklo_pd(c, d), odd_below = _mm256_unpackhi_pd(c, d);
    _mm256_storeu_pd(to, _mm256_permute2f128_pd(even, even_below, 0x20));
    _mm256_storeu_pd(to + to_apart, _mm256_permute2f128_pd(odd, odd_below, 0x20));
    _mm256_storeu_pd(to + 2 * to_apart, _mm256_permute2f128_pd(even, even_below, 0x31));
    _mm256_storeu_pd(to + 3 * to_apart, _mm256_permute2f128_pd(odd, odd_below, 0x31));
}

MIK_INLINE MIK_AVX2L void f64y4_load_tile(double *tile, const double *p, int64_t apart, int64_t rows, int64_t cols)
{
    if (rows == 4 && cols == 4) {
        f64y4_turn(tile, 4, p, apart);
        return;
    }
    for (int64_t i = 0; i < rows; i++)
        for (int64_t j = 0; j < cols; j++)
            tile[j * 4 + i] = p[i * apart + j];
}
MIK_INLINE MIK_AVX2L void f64y4_store_tile(double *p, const double *tile, int64_t apart, int64_t rows, int64_t cols)
{
    if (rows == 4 && cols == 4) {
        f64y4_turn(p, apart, tile, 4);
        return;
    }
    for (int64_t i = 0; i < rows; i++)
        for (int64_t j = 0; j < cols; j++)
            p[i * apart + j] = tile[j * 4 + i];
}
