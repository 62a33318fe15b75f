/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What is known of a GPU's micro-kernels, and of GPUs. */
#ifndef MIKGEN_PLAN_KERNELS_GPU_KERNEL_H
#define MIKGEN_PLAN_KERNELS_GPU_KERNEL_H

#include "plan/kernels/tile_kernel.h"

/* Picoseconds: once per task; per step in a full SM; per step when the block is alone. */
typedef struct GpuRates {
    int fixed, step, alone;
} GpuRates;

/* What else differs between kinds of GPU. */
typedef struct GpuCosts {
    double bandwidth; /* of memory, as streams reach it: bytes per nanosecond, for devices that do not tell their clock */
    double reached;   /* the part of what memory clock and bus width promise that streams reach */
    double launch;    /* nanoseconds from the end of one kernel of a stream to the start of the next, which waits in line */
    double reduction;   /* nanoseconds of a split-K reduction */
    double partial;   /* and per byte of sums that one block leaves or takes */
} GpuCosts;

/* Analytical, by kind of GPU. */
extern const GpuCosts gpu_costs[GPU_COUNT];

typedef struct GpuKernel {
    int m, n, k;          /* the block's tile and one step of the reduction */
    int inner_m, inner_n; /* tile of a warp (tensor cores) or of a thread (CUDA cores) */
    int slices;           /* tensor cores: groups of warps that share out the steps of a buffer */
    bool turned;          /* tensor cores: the multiply-add's 16 rows lie along n */
    int stages;           /* of the shared-memory ring */
    int blocks;           /* that one SM holds at a time */
    int align;            /* bytes to which all lines of both operands must be aligned: 16, or 1 for any */
    bool tma;             /* for sm_90a: warpgroups multiply, tensor maps describe the operands; inner_* and slices are unused */
    bool gathers;         /* tma: one operand is gathered by threads, a tensor map describes the other */
    int cluster;          /* blocks that compute a tile together, m / cluster rows each; more than 1 only for sm_90a */
    bool beside;          /* n / cluster columns each instead */
    bool split_k;         /* all of the tile instead, each as many steps of k: `k` are those of all */
    int exchange;         /* split_k: picoseconds, of `fixed`, in which they bring their sums together */
    int room;             /* tma: words of shared memory that outputs go through */
    int box;              /* tma: rows of the boxes by which tensor maps store outputs; 0: they do not */
    int turns;            /* tiles that a block computes at a time, one being finished while the next is multiplied: 2 only for sm_90a */
    bool row;             /* a few rows times a matrix, on the CUDA cores: m rows, or n when turned; likewise */
    bool codes;           /* of those: of packed codes (DeviceCodes) */
    int threads, shared;  /* of a block; bytes of shared memory */
    GpuRates rates[GPU_COUNT];
} GpuKernel;

/* Two kernels, by number, that also exist as one for two regions in one launch. */
typedef struct GpuTwin {
    int first, second, shared, blocks;
} GpuTwin;

#endif
