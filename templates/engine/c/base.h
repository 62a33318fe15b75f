/* SPDX-License-Identifier: GPL-3.0-or-later OR LicenseRef-mikgen-output */
/* Small numbers, addresses. */
#pragma once
#include "compiler.h"

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

/* Prefetches the cache lines of `rows` rows, `stride` bytes apart, of `bytes` bytes each. */
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
/* Prefetches the cache lines at p, p + stride, ..., `lines` of them, to be read. */
MIK_UNUSED MIK_INLINE void mik_ahead(const void *p, int64_t lines, int64_t stride)
{
#if defined(__GNUC__)
    for (const char *line = p; lines > 0; lines--, line += stride)
        __builtin_prefetch(line);
#else
    (void)p, (void)lines, (void)stride;
#endif
}
