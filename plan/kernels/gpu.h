/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The one list of GPU micro-kernels: thread-block tiles with their warp or thread tiles, ring stages and the
 * analytical coefficients of g(t) (MikPoly 3.3: time of one pipelined task of t steps on one SM). */
#ifndef MIKGEN_PLAN_KERNELS_GPU_H
#define MIKGEN_PLAN_KERNELS_GPU_H

#include "plan/kernels/gpu_kernel.h"

/* What the tensor cores multiply for a contraction. */
typedef struct GpuProduct {
    const char *a, *b, *acc; /* types of elements and of the sum, as PTX spells them */
    int bytes;               /* of an element */
} GpuProduct;

/* How the tensor cores compute a contraction; NULL: the CUDA cores do. Static storage. */
const GpuProduct *gpu_product(const Contraction *c);

/* May tensor maps store its outputs? They are elements of 2 or 4 bytes that are stored and nothing else, of values that read nothing at
 * places which row and column decide together. */
bool gpu_maps_output(const Contraction *c);

/* Kernels for a contraction: those of the table that fit it, as far as `opt` keeps them (plan/kernels/gpu_rank.h); the table is ordered by
 * usefulness. Arena-owned. */
const GpuKernel *gpu_kernels(Arena *arena, const Contraction *c, const KernelOptions *opt, int *count);

/* Kernels that compute attention, whose products are like `scores`, in one launch: blocks of m rows, k keys at a time, at most n steps of
 * the first product and columns of the second; of tensor cores inner_m warps, each with inner_n times 16 rows. Arena-owned. */
const GpuKernel *gpu_attention_kernels(Arena *arena, const Contraction *scores, int *count);

/* Which of these kernels also come as twins. Arena-owned. */
const GpuTwin *gpu_twins(Arena *arena, const GpuKernel *kernels, int nkernels, int *count);

/* Along which dimension of a or b neighbours in memory lie: R_K, or `outer`. When nobody knows, R_K. */
Role gpu_inner(const Contraction *c, const Operand *o, Role outer);

/* Of the tables' rows, number i, what sort of kernel it is: what there is of all that gpu_kernel_name() tells besides the tile. Some are
 * alike; of CUDA cores none is another than of tensor cores. False: there are no more. */
bool gpu_sort(int i, GpuKernel *sort);

/* "128x128x32_sm80": what a kernel is called among those of its type. */
const char *gpu_kernel_name(Arena *arena, const Contraction *c, const GpuKernel *k);

/* Does the name of a kernel of some sort go on so behind its tile, as with "_pair_sm90a"? */
bool gpu_ends_name(const char *tail, size_t length);

/* "mik_gemm_f16f32_128x128x32_sm80" */
const char *gpu_symbol(Arena *arena, const Contraction *c, const GpuKernel *k);

#endif
