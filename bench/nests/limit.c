/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Compiled with -O3 -march=native. */
#include "limit.h"

#include <stdint.h>
#ifdef __SSE2__
#include <emmintrin.h>
#endif

typedef uint64_t Vector __attribute__((vector_size(64), may_alias));
enum { LINE = 64, BLOCK = 64 };

/* Vectors that are wider than registers are no arguments and no results. */
static uint64_t read_lines(const Vector *from, size_t lines)
{
    Vector a = {0}, b = {0}, c = {0}, d = {0};
    size_t i = 0;
    for (; i + 4 <= lines; i += 4) {
        a ^= from[i];
        b ^= from[i + 1];
        c ^= from[i + 2];
        d ^= from[i + 3];
    }
    for (; i < lines; i++)
        a ^= from[i];
    a ^= b ^ c ^ d;
    return a[0] ^ a[1] ^ a[2] ^ a[3] ^ a[4] ^ a[5] ^ a[6] ^ a[7];
}

static void write_lines(Vector *to, size_t lines, uint64_t word)
{
    const Vector value = {word, word, word, word, word, word, word, word};
    for (size_t i = 0; i < lines; i++)
        to[i] = value;
}

static void write_past_caches(Vector *to, size_t lines, uint64_t word)
{
#ifdef __SSE2__
    const __m128i part = _mm_set1_epi64x((long long)word);
    for (size_t i = 0; i < 4 * lines; i++)
        _mm_stream_si128((__m128i *)to + i, part);
#else
    write_lines(to, lines, word);
#endif
}

/* Reads and writes side by side. */
static void pass(const Vector *from, size_t from_lines, Vector *to, size_t to_lines, bool past_caches)
{
    const size_t blocks = (from_lines > to_lines ? from_lines : to_lines) / BLOCK + 1;
    static volatile uint64_t sink;
    uint64_t value = 0;
    for (size_t b = 0; b < blocks; b++) {
        const size_t first = from_lines * b / blocks, last = from_lines * (b + 1) / blocks;
        value ^= read_lines(from + first, last - first);
        const size_t start = to_lines * b / blocks, end = to_lines * (b + 1) / blocks;
        (past_caches ? write_past_caches : write_lines)(to + start, end - start, value);
    }
    sink = value;
    (void)sink;
}

typedef struct {
    const Limit *limit;
    size_t count;
} Parts;

static void touch_part(void *arg, int i)
{
    const Limit *limit = ((const Parts *)arg)->limit;
    const size_t count = ((const Parts *)arg)->count, part = (size_t)i;
    const size_t from = limit->from_bytes / LINE / count, to = limit->to_bytes / LINE / count;
    const size_t both = limit->both_bytes / LINE / count;
    pass((const Vector *)limit->from + part * from, from, (Vector *)limit->to + part * to, to, limit->past_caches);
    Vector *line = (Vector *)limit->both + part * both;
    for (size_t k = 0; k < both; k++)
        line[k] = ~line[k];
}

void touch(const Limit *limit, Pool *pool)
{
    Parts parts = {limit, (size_t)pool_threads(pool)};
    pool_for(pool, pool_threads(pool), touch_part, &parts);
}
