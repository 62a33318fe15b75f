/* Measures the machine's peak: enough independent multiply-adds to hide the latency of each. */
#define _POSIX_C_SOURCE 200809L
#include "peak.h"

#include <time.h>

/* Twelve chains cover latency 4 on two units, and leave registers for the operands on every target. */
enum { CHAINS = 12, STEPS = 100000, ROUNDS = 40 };

/* Read at run time, so that no compiler computes the loops in advance. */
static volatile float factor = 0.999f, term = 0.001f;
static volatile float sink;

double now(void)
{
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

/* Each fma_* runs the chains once and returns how many floating-point operations that took. */

#if defined(__x86_64__)
#include <immintrin.h>

__attribute__((target("avx512f"))) static double fma_avx512(void)
{
    __m512 acc[CHAINS], f = _mm512_set1_ps(factor), t = _mm512_set1_ps(term);
    for (int c = 0; c < CHAINS; c++)
        acc[c] = _mm512_set1_ps((float)c);
    for (int s = 0; s < STEPS; s++) {
#pragma GCC unroll 12
        for (int c = 0; c < CHAINS; c++)
            acc[c] = _mm512_fmadd_ps(acc[c], f, t);
    }
    for (int c = 0; c < CHAINS; c++)
        sink = _mm512_cvtss_f32(acc[c]);
    return 2.0 * 16 * CHAINS * STEPS;
}

__attribute__((target("avx2,fma"))) static double fma_avx2(void)
{
    __m256 acc[CHAINS], f = _mm256_set1_ps(factor), t = _mm256_set1_ps(term);
    for (int c = 0; c < CHAINS; c++)
        acc[c] = _mm256_set1_ps((float)c);
    for (int s = 0; s < STEPS; s++) {
#pragma GCC unroll 12
        for (int c = 0; c < CHAINS; c++)
            acc[c] = _mm256_fmadd_ps(acc[c], f, t);
    }
    for (int c = 0; c < CHAINS; c++)
        sink = _mm256_cvtss_f32(acc[c]);
    return 2.0 * 8 * CHAINS * STEPS;
}
#endif

static double fma_portable(void)
{
    float acc[CHAINS][4], f = factor, t = term;
    for (int c = 0; c < CHAINS * 4; c++)
        acc[c / 4][c % 4] = (float)c;
    for (int s = 0; s < STEPS; s++) {
#pragma GCC unroll 12
        for (int c = 0; c < CHAINS; c++)
            for (int l = 0; l < 4; l++)
                acc[c][l] = acc[c][l] * f + t;
    }
    for (int c = 0; c < CHAINS * 4; c++)
        sink = acc[c / 4][c % 4];
    return 2.0 * 4 * CHAINS * STEPS;
}

double peak_flops(void)
{
    double (*loop)(void) = fma_portable;
#if defined(__x86_64__)
    if (__builtin_cpu_supports("avx512f"))
        loop = fma_avx512;
    else if (__builtin_cpu_supports("avx2") && __builtin_cpu_supports("fma"))
        loop = fma_avx2;
#endif
    double best = 0;
    for (int round = 0; round < ROUNDS; round++) {
        double start = now();
        double flops = loop();
        double rate = flops / (now() - start);
        best = rate > best ? rate : best;
    }
    return best;
}
