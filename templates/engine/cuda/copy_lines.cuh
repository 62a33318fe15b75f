/* SPDX-License-Identifier: GPL-3.0-or-later OR LicenseRef-mikgen-output */
/* Copies of operands that no tensor map can describe, or whose columns are wanted as lines. */
#pragma once
#include "across.cuh"
#include "lines.cuh"

/* 16 bytes of a line of which `left` elements are left and `before` elements lie in front. */
template <typename T> MIK_DEVICE void mik_copy_chunk(const T *x, int64_t before, int64_t left, uint4 *to)
{
    constexpr int COUNT = 16 / (int)sizeof(T);
    const int64_t shift = (int64_t)((uintptr_t)x % 16 / sizeof(T));
    if (before >= shift && left >= 2 * COUNT - shift) {
        *to = mik_load_across(x);
        return;
    }
    alignas(16) T chunk[COUNT];
#pragma unroll
    for (int j = 0; j < COUNT; j++)
        chunk[j] = j < left ? __ldg(x + j) : (T)0;
    *to = *(const uint4 *)chunk;
}

/* Copies lines of elements of so many bytes, `line` and `batch` elements apart, into lines of whole 16 bytes, 16 bytes a thread. It waits
   for the launch in front, which may be a copy of the other operand, only at its end: who waits for this one has waited for both. */
static __global__ void __launch_bounds__(256)
    mik_copy_lines(const void *from, int bytes, int64_t inner, int64_t outer, int64_t batches, int64_t line, int64_t batch, uint4 *to)
{
    const int count = 16 / bytes;
    const int64_t per_line = (inner + count - 1) / count, i = (int64_t)blockIdx.x * 256 + threadIdx.x, row = i / per_line,
                  at = (i - row * per_line) * count;
    mik_let_next_begin();
    if (row < outer * batches) {
        const int64_t x = row / outer * batch + row % outer * line + at;
        if (bytes == 1)
            mik_copy_chunk((const uint8_t *)from + x, at, inner - at, to + i);
        else if (bytes == 2)
            mik_copy_chunk((const uint16_t *)from + x, at, inner - at, to + i);
        else
            mik_copy_chunk((const uint32_t *)from + x, at, inner - at, to + i);
    }
    mik_wait_for_launch();
}
#if MIK_TURNS

/* Of a square of a matrix, from line `first_line` and element `first` of the lines at `from` on: its columns become lines. */
template <typename T>
MIK_DEVICE void mik_turn_square(const T *from, int64_t first, int64_t first_line, int64_t inner, int64_t outer, int64_t line, char *room,
                                uint4 *to)
{
    constexpr int COUNT = 16 / (int)sizeof(T), SIDE = sizeof(T) == 1 ? 64 : 32, CHUNKS = SIDE / COUNT;
    T(*const square)[SIDE + 1] = (T(*)[SIDE + 1]) room;
#pragma unroll
    for (int i = 0; i < SIDE * SIDE / 256; i++) {
        const int e = (int)threadIdx.x + i * 256, row = e / SIDE, column = e % SIDE;
        square[row][column] = first_line + row < outer && first + column < inner ? __ldg(from + (first_line + row) * line + first + column)
                                                                                 : (T)0;
    }
    __syncthreads();
    /* 256 chunks of 16 bytes, one for each thread. */
    const int column = (int)threadIdx.x / CHUNKS, row = (int)threadIdx.x % CHUNKS * COUNT;
    alignas(16) T chunk[COUNT];
#pragma unroll
    for (int j = 0; j < COUNT; j++)
        chunk[j] = square[row + j][column];
    if (first + column < inner && first_line + row < outer)
        to[(first + column) * ((outer + COUNT - 1) / COUNT) + (first_line + row) / COUNT] = *(const uint4 *)chunk;
}

/* As mik_copy_lines, but columns become lines; elements of 1 or 4 bytes, a square of 64 or 32 of them a block. */
static __global__ void __launch_bounds__(256)
    mik_turn_lines(const void *from, int bytes, int64_t inner, int64_t outer, int64_t batches, int64_t line, int64_t batch, uint4 *to)
{
    __shared__ __align__(16) char room[32 * 33 * 4]; /* 64 * 65 bytes are less */
    const int side = bytes == 1 ? 64 : 32;
    const int64_t across = (inner + side - 1) / side, down = (outer + side - 1) / side, row = blockIdx.x / across;
    const int64_t b = row / down, first = (blockIdx.x - row * across) * side, first_line = (row - b * down) * side;
    (void)batches;
    mik_let_next_begin();
    to += b * inner * ((outer * bytes + 15) / 16);
    if (bytes == 1)
        mik_turn_square((const uint8_t *)from + b * batch, first, first_line, inner, outer, line, room, to);
    else
        mik_turn_square((const uint32_t *)from + b * batch, first, first_line, inner, outer, line, room, to);
    mik_wait_for_launch();
}
#endif

/* Blocks of the kernel that copies. */
static int64_t mik_copy_blocks(const mik_lines *x, int64_t batches)
{
#if MIK_TURNS
    const int64_t side = x->bytes == 1 ? 64 : 32;
    if (x->turns)
        return batches * mik_ceil(x->inner, side) * mik_ceil(x->outer, side);
#endif
    return mik_ceil(batches * x->outer * mik_ceil(x->inner, 16 / x->bytes), 256);
}

static const void *mik_copy_kernel(const mik_lines *x)
{
#if MIK_TURNS
    if (x->turns)
        return (const void *)mik_turn_lines;
#endif
    (void)x;
    return (const void *)mik_copy_lines;
}

/* Launches a kernel which, with `early`, may begin before the one in front of it is over: it is of the same call, nothing else is between
   them, and the kernel waits for it before it touches anything that it, or a launch before it, writes. A stream that is being captured
   keeps that. */
static cudaError_t mik_start(const void *kernel, int64_t blocks, int threads, void **params, int shared, int early, cudaStream_t stream)
{
    cudaLaunchAttribute attribute = {};
    cudaLaunchConfig_t config = {};
    attribute.id = cudaLaunchAttributeProgrammaticStreamSerialization;
    attribute.val.programmaticStreamSerializationAllowed = 1;
    config.gridDim = dim3((unsigned)blocks);
    config.blockDim = dim3((unsigned)threads);
    config.dynamicSmemBytes = (size_t)shared;
    config.stream = stream;
    config.attrs = &attribute;
    config.numAttrs = early && CUDART_VERSION >= 12030; /* older ones cannot capture it */
    return cudaLaunchKernelExC(&config, kernel, params);
}

/* Makes the copies that A and B need, one after the other from `to` on, and has `lines` describe them. */
static cudaError_t mik_make_copies(mik_lines lines[2], char *to, cudaStream_t stream)
{
    for (int i = 0; i < 2; i++) {
        mik_lines *const x = &lines[i];
        if (x->copy == 0)
            continue;
        int64_t batches = x->batch != 0 ? x->batches : 1, line = x->line / x->bytes, batch = x->batch / x->bytes;
        const int64_t blocks = mik_copy_blocks(x, batches);
        void *params[8] = {&x->base, &x->bytes, &x->inner, &x->outer, &batches, &line, &batch, &to};
        if (blocks > 0x7fffffff)
            return cudaErrorInvalidValue;
        const cudaError_t error = mik_start(mik_copy_kernel(x), blocks, 256, params, 0, i == 1 && lines[0].copy > 0, stream);
        if (error != cudaSuccess)
            return error;
        *x = mik_copied(x);
        x->base = to;
        to += x->copy;
    }
    return cudaSuccess;
}
