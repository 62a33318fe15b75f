/* SPDX-License-Identifier: GPL-3.0-or-later OR LicenseRef-mikgen-output */
/* Moving a tile of an operand that lies in place into shared memory, for tensor cores: asynchronous copies of 16, 8 and 4 bytes, and
   chunks of 16 bytes that lie across others, through registers. */
#pragma once
#include "across.cuh"

/* Where chunk `at` of a line of 16-byte chunks goes, so that what a warp loads together comes from different banks:
   order 0, lines one after the other by ldmatrix; 1, chunks of 32 bytes of four lines; 2, order of lines, every second pair
   by ldmatrix. */
MIK_DEVICE int mik_swizzle(int line, int at, int chunks, int order)
{
    const unsigned low = (unsigned)(chunks & -chunks), group = low < 8 ? low : 8;
    const unsigned turn = order == 2 ? (unsigned)line % 2 + (unsigned)line / 4 * 2 : (unsigned)line;
    if (order == 1)
        return at ^ (int)(turn / (8 / group) % (group / 2 + (group == 1)) * 2);
    return at ^ (int)(turn / (8 / group) % group);
}

/* Where byte `at` of a line goes. */
MIK_DEVICE uint32_t mik_place(int line, int at, int chunks, int order)
{
    return (uint32_t)((line * chunks + mik_swizzle(line, at / 16, chunks, order)) * 16 + at % 16);
}

/* Where the chunk is that lies so many lines and chunks further on than the one at `at`. Tiles start at multiples of 128 bytes; the lines
   are such that their order is the same or, as all are powers of two, that the numbers of chunks and of lines have no bits in common with
   those of the first one: then what the order does to both is the same, and most of the sum is known when the code is made. */
MIK_DEVICE uint32_t mik_further(uint32_t at, int lines, int at_chunk, int chunks, int order)
{
    const int turned = mik_swizzle(lines, at_chunk, chunks, order);
    return (at ^ (uint32_t)(turned * 16 % 128)) + (uint32_t)((lines * chunks + turned / 8 * 8) * 16);
}

/* A tile of LINES lines of CHUNKS chunks of 16 bytes on its way into shared memory, by copies of WIDTH bytes: each thread makes those of one
   column, every so many lines. WIDTH < 4: elements that are aligned to nothing more, 16 bytes at a time through registers. */
template <int WIDTH, int LINES, int CHUNKS, int ORDER, int THREADS> struct mik_copier {
    static constexpr int MOVED = WIDTH < 4 ? 16 : WIDTH, PER_LINE = CHUNKS * (16 / MOVED), COPIES = LINES * PER_LINE;
    static constexpr int ROUNDS = (COPIES + THREADS - 1) / THREADS, APART = THREADS / PER_LINE;
    static_assert(THREADS % PER_LINE == 0, "a thread stays in its column");
    /* Rounds that are unrolled: after PERIOD ones lines have the same order again. */
    static constexpr int PERIOD = (ORDER == 2 ? 16 : 8) / APART,
                         SAME = WIDTH < 4    ? 4
                                : PERIOD < 2 ? 2
                                             : PERIOD,
                         TOGETHER = SAME < ROUNDS ? SAME : ROUNDS;
    static_assert(ROUNDS % TOGETHER == 0, "all are powers of two");

    MIK_DEVICE int line(void) { return (int)(threadIdx.x / (unsigned)PER_LINE); }
    MIK_DEVICE int column(void) { return (int)(threadIdx.x % (unsigned)PER_LINE); }

    /* Where the thread's first copy goes, and comes from: lines are `stride` bytes apart. */
    MIK_DEVICE uint32_t to(uint32_t tile) { return tile + mik_place(line(), column() * MOVED, CHUNKS, ORDER); }
    MIK_DEVICE const char *from(const char *first, int64_t stride) { return first + line() * stride + column() * MOVED; }

    /* Has the thread a part in this round? */
    MIK_DEVICE bool takes_part(int round) { return COPIES % THREADS == 0 || (int)threadIdx.x + round * THREADS < COPIES; }

    /* Copies of what all exists, if they are wanted; `from` is where the thread's first one comes from, and goes on to where the last one does. */
    MIK_DEVICE void copy_whole(uint32_t tile, const char **from, int64_t apart, bool wanted)
    {
        const uint32_t first = to(tile);
#pragma unroll
        for (int i = 0; i < ROUNDS; i++) {
            mik_cp_async_if<WIDTH>(wanted && takes_part(i), mik_further(first, i * APART, 0, CHUNKS, ORDER), *from);
            if (i + 1 < ROUNDS)
                mik_go_on(from, apart);
        }
    }

    /* Of the lines the first in_lines exist, and of each of them the first `bytes` bytes; the rest becomes zero. */
    MIK_DEVICE void copy(uint32_t tile, const char *from, int64_t stride, int in_lines, int bytes)
    {
        const uint32_t first = to(tile);
        const int lines = in_lines - line(), more = bytes - column() * MOVED, left = more < 0 ? 0 : more < MOVED ? more : MOVED;
#pragma unroll
        for (int i = 0; i < ROUNDS; i++) {
            if (takes_part(i))
                mik_cp_async<WIDTH>(mik_further(first, i * APART, 0, CHUNKS, ORDER), from, i * APART < lines ? left : 0);
            mik_go_on(&from, APART * stride);
        }
    }

    /* Of the lines from the thread's first one on so many exist, and so many bytes from its column on; the rest may become anything.
       `from` and `to` are where its first copy comes from and goes to. */
    MIK_DEVICE void copy_some(uint32_t to, const char *from, int64_t apart, int lines)
    {
#pragma unroll 1
        for (int i = 0; i < ROUNDS / TOGETHER; i++) {
#pragma unroll
            for (int j = 0; j < TOGETHER; j++) {
                mik_cp_async_if<WIDTH>(takes_part(i * TOGETHER + j) && j * APART < lines, mik_further(to, j * APART, 0, CHUNKS, ORDER),
                                       from);
                mik_go_on(&from, apart);
            }
            to += TOGETHER * APART * CHUNKS * 16;
            lines -= TOGETHER * APART;
        }
    }

    /* The same, of chunks that may lie anywhere in an array: a thread's loads of several rounds are on their way at a time. By elements where
       chunks around are not all in the array, and where lines run ALONG k and end in a chunk: what follows must be zero. */
    template <bool ALONG>
    MIK_DEVICE void copy_across(uint32_t to, const mik_array *array, const char *from, int64_t apart, int lines, int left)
    {
        const int all = (lines + APART - 1) / APART, rounds = !takes_part(0) ? 0 : all < ROUNDS ? all : ROUNDS;
        const char *const last = from + (rounds - 1) * apart;
        if (apart >= 0 && (left >= 16 || !ALONG) && (const char *)mik_chunk_of(from) >= array->begin &&
            (const char *)(mik_chunk_of(last) + 2) <= array->end) {
#pragma unroll 1
            for (int i = 0; i < rounds; i += TOGETHER) {
                uint4 low[TOGETHER], high[TOGETHER];
                const char *at = from;
#pragma unroll
                for (int j = 0; j < TOGETHER; j++) {
                    low[j] = i + j < rounds ? __ldg(mik_chunk_of(at)) : make_uint4(0, 0, 0, 0);
                    high[j] = i + j < rounds ? __ldg(mik_chunk_of(at) + 1) : make_uint4(0, 0, 0, 0);
                    mik_go_on(&at, apart);
                }
#pragma unroll
                for (int j = 0; j < TOGETHER; j++) {
                    if (i + j < rounds)
                        mik_store(mik_further(to, (i + j) * APART, 0, CHUNKS, ORDER),
                                  mik_shift_across(low[j], high[j], (unsigned)(uintptr_t)from));
                    mik_go_on(&from, apart);
                }
            }
        } else {
#pragma unroll 1
            for (int i = 0; i < rounds; i++) {
                mik_store(mik_further(to, i * APART, 0, CHUNKS, ORDER), mik_load_elements<WIDTH>(from, left));
                mik_go_on(&from, apart);
            }
        }
    }

    /* Zeros where the thread's copies of words go, from that many lines behind its first one on. */
    MIK_DEVICE void clear(uint32_t to, int lines)
    {
#pragma unroll 1
        for (int i = 0; i < ROUNDS / TOGETHER; i++) {
#pragma unroll
            for (int j = 0; j < TOGETHER; j++)
                if (takes_part(i * TOGETHER + j) && j * APART >= lines)
                    mik_store(mik_further(to, j * APART, 0, CHUNKS, ORDER), 0u);
            to += TOGETHER * APART * CHUNKS * 16;
            lines -= TOGETHER * APART;
        }
    }
};

/* An operand in place: where the first element of its tile is, or, once that is known, the first one that the thread copies; bytes from line
   to line and from one tile to the next; how wide copies may be, 0 where elements come one by one. */
typedef struct {
    mik_array array; /* all of it, where chunks lie across others */
    const char *at;
    int64_t line, step;
    int width;
    /* What the width decides: line and byte of the line of the thread's first copy, where that goes, bytes from one to the next. */
    int first_line, first_byte;
    uint32_t to;
    int64_t apart;
} mik_stream;

/* Finds out what the thread copies of tiles with lines of CHUNKS chunks of 16 bytes. */
template <int CHUNKS, int ORDER, int THREADS> MIK_DEVICE void mik_divide(mik_stream *x)
{
    const int moved = x->width < 4 ? 16 : x->width;
    const unsigned per_line = CHUNKS * 16u >> (31 - __clz(moved)), shift = 31 - __clz((int)per_line);
    const unsigned thread = mik_thread();
    x->first_line = (int)(thread >> shift);
    x->first_byte = (int)(thread & (per_line - 1)) * moved;
    x->to = mik_place(x->first_line, x->first_byte, CHUNKS, ORDER);
    x->apart = (THREADS >> shift) * x->line;
    x->at += x->first_line * x->line + x->first_byte;
}

/* How tiles come: in copies of 16 bytes; of 16, 8 or 4 bytes; of 16 bytes, aligned or not; any of these; element by element. */
enum mik_way { MIK_ALIGNED, MIK_WIDE, MIK_NARROW, MIK_EITHER, MIK_BY_ELEMENTS };

/* Copies what exists of a tile: in_lines lines, and of each so many bytes, a multiple of the width, which is one of those of the WAY. */
template <int BYTES, bool ALONG, int LINES, int CHUNKS, int ORDER, int THREADS, int WAY>
MIK_DEVICE void mik_copy(const mik_stream *x, uint32_t tile, int in_lines, int bytes)
{
    constexpr bool FOUR = BYTES < 8, LESS = BYTES < 4 && WAY != MIK_WIDE;
    const uint32_t to = tile + x->to;
    const int left = bytes - x->first_byte, lines = left > 0 ? in_lines - x->first_line : 0;
    if (x->width == 16)
        mik_copier<16, LINES, CHUNKS, ORDER, THREADS>::copy_some(to, x->at, x->apart, lines);
    else if (WAY != MIK_NARROW && (!FOUR || x->width == 8))
        mik_copier<8, LINES, CHUNKS, ORDER, THREADS>::copy_some(to, x->at, x->apart, lines);
    else if (WAY != MIK_NARROW && FOUR && (!LESS || x->width == 4))
        mik_copier<4, LINES, CHUNKS, ORDER, THREADS>::copy_some(to, x->at, x->apart, lines);
    else if constexpr (LESS)
        mik_copier<BYTES, LINES, CHUNKS, ORDER, THREADS>::template copy_across<ALONG>(to, &x->array, x->at, x->apart, lines, left);
}

/* Zeros for what lies beyond the first in_k steps of x, as far as words are concerned that no copy has written; where lines run ALONG k, an
   element has so many BYTES. */
template <int BYTES, bool ALONG, int LINES, int CHUNKS, int ORDER, int THREADS>
MIK_DEVICE void mik_clear(const mik_stream *x, uint32_t tile, int in_k)
{
    typedef mik_copier<4, LINES, CHUNKS, ORDER, THREADS> words;
    const int bytes = x->width < 4 ? (in_k * BYTES + 15) / 16 * 16 : in_k * BYTES; /* of a line, which are written */
    const int first = ALONG ? words::column() * 4 < bytes ? LINES : 0 : in_k;
    words::clear(words::to(tile), first - words::line());
}
