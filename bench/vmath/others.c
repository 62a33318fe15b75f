/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The functions of libmvec and SLEEF over arrays, for the instruction set that SET names: z AVX-512, y AVX2, p SSE2. Included functions are those
 * that both have. */
#include <immintrin.h>
#include <sleef.h>

#include "others.h"

#if SET == 'z'
#define TABLE_OF(what) what##_z
#define MVEC32(name)   _ZGVeN16v_##name##f
#define MVEC64(name)   _ZGVeN8v_##name
#define MVEC32_2(name) _ZGVeN16vv_##name##f
#define MVEC64_2(name) _ZGVeN8vv_##name
typedef __m512 V32;
typedef __m512d V64;
#define LOAD32           _mm512_loadu_ps
#define LOAD64           _mm512_loadu_pd
#define SAVE32           _mm512_storeu_ps
#define SAVE64           _mm512_storeu_pd
#define SLEEF32(name, u) Sleef_##name##f16_##u##avx512f
#define SLEEF64(name, u) Sleef_##name##d8_##u##avx512f
#elif SET == 'y'
#define TABLE_OF(what)   what##_y
#define MVEC32(name)     _ZGVdN8v_##name##f
#define MVEC64(name)     _ZGVdN4v_##name
#define MVEC32_2(name)   _ZGVdN8vv_##name##f
#define MVEC64_2(name)   _ZGVdN4vv_##name
typedef __m256 V32;
typedef __m256d V64;
#define LOAD32           _mm256_loadu_ps
#define LOAD64           _mm256_loadu_pd
#define SAVE32           _mm256_storeu_ps
#define SAVE64           _mm256_storeu_pd
#define SLEEF32(name, u) Sleef_##name##f8_##u##avx2
#define SLEEF64(name, u) Sleef_##name##d4_##u##avx2
#else
#define TABLE_OF(what)   what##_p
#define MVEC32(name)     _ZGVbN4v_##name##f
#define MVEC64(name)     _ZGVbN2v_##name
#define MVEC32_2(name)   _ZGVbN4vv_##name##f
#define MVEC64_2(name)   _ZGVbN2vv_##name
typedef __m128 V32;
typedef __m128d V64;
#define LOAD32           _mm_loadu_ps
#define LOAD64           _mm_loadu_pd
#define SAVE32           _mm_storeu_ps
#define SAVE64           _mm_storeu_pd
#define SLEEF32(name, u) Sleef_##name##f4_##u##sse2
#define SLEEF64(name, u) Sleef_##name##d2_##u##sse2
#endif

#define LOOP(name, call, type, V, load, save) \
    static void name(int64_t n, const void *x, const void *y, void *out) \
    { \
        const type *a = x, *b = y; \
        type *o = out; \
        (void)b; \
        for (int64_t i = 0; i < n; i += (int64_t)(sizeof(V) / sizeof(type))) \
            save(o + i, call); \
    }
#define ONE(name, u) \
    V32 MVEC32(name)(V32); \
    V64 MVEC64(name)(V64); \
    LOOP(mvec_##name##_f32, MVEC32(name)(LOAD32(a + i)), float, V32, LOAD32, SAVE32) \
    LOOP(mvec_##name##_f64, MVEC64(name)(LOAD64(a + i)), double, V64, LOAD64, SAVE64) \
    LOOP(sleef_##name##_f32, SLEEF32(name, u)(LOAD32(a + i)), float, V32, LOAD32, SAVE32) \
    LOOP(sleef_##name##_f64, SLEEF64(name, u)(LOAD64(a + i)), double, V64, LOAD64, SAVE64)
#define TWO(name, u) \
    V32 MVEC32_2(name)(V32, V32); \
    V64 MVEC64_2(name)(V64, V64); \
    LOOP(mvec_##name##_f32, MVEC32_2(name)(LOAD32(a + i), LOAD32(b + i)), float, V32, LOAD32, SAVE32) \
    LOOP(mvec_##name##_f64, MVEC64_2(name)(LOAD64(a + i), LOAD64(b + i)), double, V64, LOAD64, SAVE64) \
    LOOP(sleef_##name##_f32, SLEEF32(name, u)(LOAD32(a + i), LOAD32(b + i)), float, V32, LOAD32, SAVE32) \
    LOOP(sleef_##name##_f64, SLEEF64(name, u)(LOAD64(a + i), LOAD64(b + i)), double, V64, LOAD64, SAVE64)
#include "others.def"
#undef ONE
#undef TWO

#define ROWS(what, name) {#name, "f32", 0, what##_##name##_f32}, {#name, "f64", 0, what##_##name##_f64},
#define ONE(name, u)     ROWS(mvec, name)
#define TWO(name, u)     ROWS(mvec, name)
const VmathFunction TABLE_OF(mvec)[] = {
#include "others.def"
    {0}};
#undef ONE
#undef TWO
#define ONE(name, u) ROWS(sleef, name)
#define TWO(name, u) ROWS(sleef, name)
const VmathFunction TABLE_OF(sleef)[] = {
#include "others.def"
    {0}};
