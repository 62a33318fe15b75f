/* Copies of operands that no tensor map can describe. */
#pragma once
#include "lines.cuh"

/* Copies lines of 2-byte elements, `line` and `batch` elements apart, into lines of whole 16 bytes, 8 elements a thread. */
static __global__ void __launch_bounds__(256)
    mik_copy_lines(const uint16_t *from, int64_t inner, int64_t outer, int64_t batches, int64_t line, int64_t batch, uint4 *to)
{
    const int64_t per_line = (inner + 7) / 8, i = (int64_t)blockIdx.x * 256 + threadIdx.x, row = i / per_line,
                  at = (i - row * per_line) * 8;
    if (row >= outer * batches)
        return;
    const uint16_t *const x = from + row / outer * batch + row % outer * line + at;
    alignas(16) uint16_t eight[8];
#pragma unroll
    for (int j = 0; j < 8; j++)
        eight[j] = at + j < inner ? __ldg(x + j) : (uint16_t)0;
    to[i] = *(const uint4 *)eight;
}

/* Makes the copies that A and B need, one after the other from `to` on, and has `lines` describe them. */
static cudaError_t mik_make_copies(mik_lines lines[2], char *to, cudaStream_t stream)
{
    for (int i = 0; i < 2; i++) {
        mik_lines *const x = &lines[i];
        if (x->copy == 0)
            continue;
        int64_t batches = x->batch != 0 ? x->batches : 1, line = x->line / 2, batch = x->batch / 2;
        const int64_t blocks = mik_ceil(batches * x->outer * mik_ceil(x->inner, 8), 256);
        void *params[7] = {&x->base, &x->inner, &x->outer, &batches, &line, &batch, &to};
        if (blocks > 0x7fffffff)
            return cudaErrorInvalidValue;
        const cudaError_t error = cudaLaunchKernel((const void *)mik_copy_lines, dim3((unsigned)blocks), dim3(256), params, 0, stream);
        if (error != cudaSuccess)
            return error;
        x->base = to;
        x->line = mik_copied_line(x);
        x->batch = x->batch != 0 ? x->line * x->outer : 0;
        to += x->copy;
    }
    return cudaSuccess;
}
