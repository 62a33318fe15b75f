/* Compilers and processors; small numbers. */
#pragma once
#include "config.h"

#if (defined(__x86_64__) || defined(__i386__)) && defined(__GNUC__)
#define MIK_X86    1
#define MIK_AVX2   __attribute__((target("avx2,fma")))
#define MIK_AVX512 __attribute__((target("avx512f")))
#if MIK_WITH_DOTS
#define MIK_AVX512BW   __attribute__((target("avx512f,avx512bw")))
#define MIK_AVX512VNNI __attribute__((target("avx512f,avx512bw,avx512vnni")))
#define MIK_AVX512BF16 __attribute__((target("avx512f,avx512bw,avx512bf16")))
#endif
#include <immintrin.h>
#else
#define MIK_X86 0
#endif
#if MIK_WITH_DOTS
/* Compilers that know VNNI and AVX512-BF16. */
#if MIK_X86 && (defined(__clang__) || __GNUC__ >= 10)
#define MIK_X86_DOTS 1
#else
#define MIK_X86_DOTS 0
#endif
#endif
#if defined(__AARCH64EL__) && defined(__ARM_NEON) && defined(__GNUC__)
#define MIK_NEON 1
#include <arm_neon.h>
#else
#define MIK_NEON 0
#endif
#if defined(__GNUC__) && (!defined(__i386__) || defined(__SSE2__))
#define MIK_VECTORS 1                    /* vectors of 16 bytes have registers, or at least a calling convention */
#else
#define MIK_VECTORS 0
#endif
#if defined(__GNUC__)
#define MIK_UNUSED              __attribute__((unused))
#define MIK_INLINE              static inline __attribute__((always_inline))
#define MIK_APART               __attribute__((noinline))  /* only those who call it pay for its frame */
#define MIK_FORMAT(text, first) __attribute__((format(printf, text, first)))
#define MIK_FETCH(p)            __builtin_prefetch(p)
#if defined(__clang__)
#define MIK_UNROLL _Pragma("unroll")
#else
#define MIK_UNROLL _Pragma("GCC unroll 32")
#endif
#else
#define MIK_UNUSED
#define MIK_INLINE static inline
#define MIK_APART
#define MIK_FORMAT(text, first)
#define MIK_FETCH(p) ((void)0)
#define MIK_UNROLL
#endif
#if defined(__OPTIMIZE__)
#define MIK_FOLDED MIK_INLINE            /* once for each set of constant arguments */
#else
#define MIK_FOLDED static inline             /* nothing would be folded */
#endif

MIK_UNUSED static int64_t mik_min(int64_t x, int64_t y) { return x < y ? x : y; }
MIK_UNUSED static int64_t mik_max(int64_t x, int64_t y) { return x > y ? x : y; }
MIK_UNUSED static int64_t mik_ceil_div(int64_t x, int64_t y) { return (x + y - 1) / y; }
MIK_UNUSED static int64_t mik_round_up(int64_t x, int64_t y) { return (x + y - 1) / y * y; }

/* x, of whose origin the compiler knows nothing. Clang would reach the rows of a tile by a chain of additions if it
   saw that their distances are multiples of one stride. */
MIK_UNUSED static inline int64_t mik_opaque(int64_t x)
{
#if defined(__GNUC__)
    __asm__("" : "+r"(x));
#endif
    return x;
}

/* What is known of a pointer, or of a number, is forgotten. */
#if defined(__GNUC__)
#define MIK_HIDE(x) __asm__("" : "+r"(x))
#else
#define MIK_HIDE(x) ((void)0)
#endif

/* Asks for the cache lines of `rows` rows, `stride` bytes apart, of `bytes` bytes each. */
MIK_UNUSED static void mik_prefetch(const void *p, int64_t rows, int64_t stride, int64_t bytes)
{
#if defined(__GNUC__)
    const char *row = p;
    for (int64_t i = 0; i < rows; i++, row += stride)
        for (int64_t j = 0; j < bytes; j += 64)
            __builtin_prefetch(row + j, 1);
#else
    (void)p, (void)rows, (void)stride, (void)bytes;
#endif
}

#if MIK_WITH_DOTS
/* The 32 bits at p. */
MIK_UNUSED static int32_t mik_word(const void *p)
{
    int32_t word;
    memcpy(&word, p, sizeof word);
    return word;
}

#endif
/* Asks for the cache lines at p, p + stride, ..., `lines` of them, to be read. */
MIK_UNUSED MIK_INLINE void mik_ahead(const void *p, int64_t lines, int64_t stride)
{
#if defined(__GNUC__)
    for (const char *line = p; lines > 0; lines--, line += stride)
        __builtin_prefetch(line);
#else
    (void)p, (void)lines, (void)stride;
#endif
}
