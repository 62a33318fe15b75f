/* The one list of GPU micro-kernels: thread-block tiles with their warp or thread tiles, ring stages and the
 * analytical coefficients of g(t) (MikPoly 3.3: time of one pipelined task of t steps on one SM). */
#ifndef MIKGEN_PLAN_GPU_H
#define MIKGEN_PLAN_GPU_H

#include "plan/plan.h"

typedef struct GpuKernel {
    int m, n, k;       /* the block's tile and one step of the reduction */
    int inner_m, inner_n; /* tile of a warp (tensor cores) or of a thread (CUDA cores) */
    int stages;        /* of the shared-memory ring */
    int blocks;        /* that one SM holds at a time */
    int fixed, step, alone; /* picoseconds: once per task; per step in a full SM; per step when the block is alone */
} GpuKernel;

/* Kernels of a family, at most `max_kernels` when that is positive: the first of the table, which is ordered by
 * usefulness within each size class. Static storage or the arena's. */
const GpuKernel *gpu_kernels(Arena *arena, Family family, int max_kernels, int *count);

/* How many blocks of a kernel one SM shall hold. A stage that computes addresses for every element (an operand is not
 * in place) needs registers for that: two blocks with 64 sums per thread would leave too few. */
int gpu_blocks(Family family, const GpuKernel *kernel, bool gathers);

/* "mik_gemm_f16f32_128x128x32_sm80" */
const char *gpu_symbol(Arena *arena, const char *stem, Family family, const GpuKernel *k);

/* Whether the family runs on tensor cores. */
bool gpu_uses_tensor_cores(Family family);

#endif
