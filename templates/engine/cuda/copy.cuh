/* Moving a tile of an operand that lies in place into shared memory, for tensor cores: asynchronous copies of 16, 8 and 4 bytes, and
   narrow elements through registers. */
#pragma once
#include "async.cuh"

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

/* LINES lines of CHUNKS chunks of 16 bytes, `stride` bytes apart, into shared memory, by copies of WIDTH bytes. Of the lines the first
   in_lines exist, and of each of them the first `bytes` bytes; the rest becomes zero. */
template <int WIDTH, int LINES, int CHUNKS, int ORDER, int THREADS>
MIK_DEVICE void mik_copy_chunks(uint32_t to, const char *from, int64_t stride, int in_lines, int bytes)
{
    constexpr int PARTS = 16 / WIDTH, COPIES = LINES * CHUNKS * PARTS, ROUNDS = (COPIES + THREADS - 1) / THREADS;
#pragma unroll(WIDTH == 16 ? ROUNDS : 2)
    for (int i = 0; i < ROUNDS; i++) {
        const int e = (int)threadIdx.x + i * THREADS;
        if (COPIES % THREADS != 0 && e >= COPIES)
            break;
        const int line = (int)((unsigned)e / (unsigned)(CHUNKS * PARTS)), at = (int)((unsigned)e % (unsigned)(CHUNKS * PARTS));
        const int left = line < in_lines ? bytes - at * WIDTH : 0;
        mik_cp_async<WIDTH>(to + (line * CHUNKS + mik_swizzle(line, at / PARTS, CHUNKS, ORDER)) * 16 + at % PARTS * WIDTH,
                            from + line * stride + at * WIDTH,
                            left < 0       ? 0
                            : left < WIDTH ? left
                                           : WIDTH);
    }
}

/* The same for elements of T, 1 or 2 bytes, that are aligned to nothing more: four bytes at a time through registers. */
template <typename T, int LINES, int CHUNKS, int ORDER, int THREADS>
MIK_DEVICE void mik_copy_elements(uint32_t to, const char *from, int64_t stride, int in_lines, int bytes)
{
    constexpr int COPIES = LINES * CHUNKS * 4, COUNT = 4 / (int)sizeof(T);
#pragma unroll 4
    for (int i = 0; i < (COPIES + THREADS - 1) / THREADS; i++) {
        const int e = (int)threadIdx.x + i * THREADS;
        if (COPIES % THREADS != 0 && e >= COPIES)
            break;
        const int line = (int)((unsigned)e / (CHUNKS * 4u)), at = (int)((unsigned)e % (CHUNKS * 4u));
        const T *const x = (const T *)(from + line * stride) + at * COUNT;
        const int left = line < in_lines ? bytes / (int)sizeof(T) - at * COUNT : 0;
        uint32_t word = 0;
#pragma unroll
        for (int j = 0; j < COUNT; j++)
            word |= j < left ? (uint32_t)__ldg(x + j) << (j * 8 * (int)sizeof(T)) : 0u;
        mik_store(to + (line * CHUNKS + mik_swizzle(line, at / 4, CHUNKS, ORDER)) * 16 + at % 4 * 4, word);
    }
}

/* The same in the widest way that alignment allows: width is 16, 8, 4 or the size of an element. */
template <typename T, int LINES, int CHUNKS, int ORDER, int THREADS>
MIK_DEVICE void mik_copy(int width, uint32_t to, const char *from, int64_t stride, int in_lines, int bytes)
{
    if (width == 16)
        mik_copy_chunks<16, LINES, CHUNKS, ORDER, THREADS>(to, from, stride, in_lines, bytes);
    else if (width == 8)
        mik_copy_chunks<8, LINES, CHUNKS, ORDER, THREADS>(to, from, stride, in_lines, bytes);
    else if (width == 4)
        mik_copy_chunks<4, LINES, CHUNKS, ORDER, THREADS>(to, from, stride, in_lines, bytes);
    else
        mik_copy_elements<T, LINES, CHUNKS, ORDER, THREADS>(to, from, stride, in_lines, bytes);
}
