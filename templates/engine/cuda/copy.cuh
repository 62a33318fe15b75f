/* Moving a tile of an operand that lies in place into shared memory, for tensor cores: asynchronous copies of 16, 8 and 4 bytes, and
   narrow elements through registers. */
#pragma once
#include "async.cuh"

/* Words of so many bytes. */
template <int BYTES> struct mik_word;
template <> struct mik_word<1> {
    typedef uint8_t type;
};
template <> struct mik_word<2> {
    typedef uint16_t type;
};
template <> struct mik_word<4> {
    typedef uint32_t type;
};
template <> struct mik_word<8> {
    typedef uint64_t type;
};

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
   column, every so many lines. WIDTH < 4: elements that are aligned to nothing more, four bytes at a time through registers. */
template <int WIDTH, int LINES, int CHUNKS, int ORDER, int THREADS> struct mik_copier {
    static constexpr int MOVED = WIDTH < 4 ? 4 : WIDTH, PARTS = 16 / MOVED, PER_LINE = CHUNKS * PARTS, COPIES = LINES * PER_LINE;
    static constexpr int ROUNDS = (COPIES + THREADS - 1) / THREADS, APART = THREADS / PER_LINE;
    static_assert(THREADS % PER_LINE == 0, "a thread stays in its column");

    MIK_DEVICE int line(void) { return (int)(threadIdx.x / (unsigned)PER_LINE); }
    MIK_DEVICE int column(void) { return (int)(threadIdx.x % (unsigned)PER_LINE); }

    /* Where the thread's first copy goes, and comes from: lines are `stride` bytes apart. */
    MIK_DEVICE uint32_t to(uint32_t tile) { return tile + mik_place(line(), column() * MOVED, CHUNKS, ORDER); }
    MIK_DEVICE const char *from(const char *first, int64_t stride) { return first + line() * stride + column() * MOVED; }

    /* Has the thread a part in this round? */
    MIK_DEVICE bool takes_part(int round) { return COPIES % THREADS == 0 || (int)threadIdx.x + round * THREADS < COPIES; }

    /* Copies of what all exists; `from` is where the thread's first one comes from, and goes on to where the last one does. */
    MIK_DEVICE void copy_whole(uint32_t tile, const char **from, int64_t apart)
    {
        const uint32_t first = to(tile);
#pragma unroll
        for (int i = 0; i < ROUNDS; i++) {
            mik_cp_async_if<WIDTH>(takes_part(i), mik_further(first, i * APART, 0, CHUNKS, ORDER), *from);
            if (i + 1 < ROUNDS)
                mik_go_on(from, apart);
        }
    }

    /* `left` bytes from `from` on, and zeros for what is wanted more. */
    MIK_DEVICE void copy_part(uint32_t to, const char *from, int left)
    {
        if constexpr (WIDTH >= 4) {
            mik_cp_async<WIDTH>(to, from, left);
        } else {
            typedef typename mik_word<(WIDTH < 4 ? WIDTH : 1)>::type T;
            uint32_t word = 0;
#pragma unroll
            for (int j = 0; j < 4 / WIDTH; j++)
                word |= j * WIDTH < left ? (uint32_t)__ldg((const T *)from + j) << (j * 8 * WIDTH) : 0u;
            mik_store(to, word);
        }
    }

    /* Of the lines the first in_lines exist, and of each of them the first `bytes` bytes; the rest becomes zero. */
    MIK_DEVICE void copy(uint32_t tile, const char *from, int64_t stride, int in_lines, int bytes)
    {
        const uint32_t first = to(tile);
        const int64_t apart = APART * stride;
        const int lines = in_lines - line(), more = bytes - column() * MOVED, left = more < 0 ? 0 : more < MOVED ? more : MOVED;
#pragma unroll(WIDTH == 16 ? ROUNDS : WIDTH < 4 ? 2 : 4)
        for (int i = 0; i < ROUNDS; i++) {
            if (takes_part(i))
                copy_part(mik_further(first, i * APART, 0, CHUNKS, ORDER), from, i * APART < lines ? left : 0);
            from += apart;
        }
    }
};

/* A tile whose first element is at `from`, in the widest way that alignment allows: width is 16, 8, 4 or the size of an element. */
template <int BYTES, int LINES, int CHUNKS, int ORDER, int THREADS>
MIK_DEVICE void mik_copy(int width, uint32_t to, const char *from, int64_t stride, int in_lines, int bytes)
{
#define MIK_COPY(WIDTH) \
    typedef mik_copier<WIDTH, LINES, CHUNKS, ORDER, THREADS> copier; \
    copier::copy(to, copier::from(from, stride), stride, in_lines, bytes);
    if (width == 16) {
        MIK_COPY(16)
    } else if (width == 8) {
        MIK_COPY(8)
    } else if (width == 4) {
        MIK_COPY(4)
    } else if constexpr (BYTES < 4) {
        MIK_COPY(BYTES)
    }
#undef MIK_COPY
}
