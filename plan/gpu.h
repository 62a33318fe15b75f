/* The one list of GPU micro-kernels: thread-block tiles with their warp or thread tiles, ring stages and the
 * analytical coefficients of g(t) (MikPoly 3.3: time of one pipelined task of t steps on one SM). */
#ifndef MIKGEN_PLAN_GPU_H
#define MIKGEN_PLAN_GPU_H

#include "plan/kernel.h"
#include "plan/plan.h"

/* Kinds of GPU that rates are known of, in the order of mik_variant.rates. */
enum { GPU_SM80, GPU_SM86, GPU_SM89, GPU_SM90, GPU_COUNT };

/* Picoseconds: once per task; per step in a full SM; per step when the block is alone. */
typedef struct GpuRates {
    int fixed, step, alone;
} GpuRates;

/* What else differs between kinds of GPU. */
typedef struct GpuCosts {
    double bandwidth; /* of memory, as streams reach it: bytes per nanosecond, for devices that do not tell their clock */
    double reached;   /* the part of what memory clock and bus width promise that streams reach */
    double launch;    /* nanoseconds from one kernel of a stream to the next */
    double meeting;   /* nanoseconds when blocks leave their sums for each other */
    double partial;   /* and per byte of sums that one block leaves or takes */
} GpuCosts;

/* Analytical, by kind of GPU. */
extern const GpuCosts gpu_costs[GPU_COUNT];

/* "sm_80" ... */
const char *gpu_name(int gpu);

/* The kind whose rates a GPU of a compute capability, 10 * major + minor, takes; as mik_classify of templates/cuda/device.cu.j2. */
int gpu_of_capability(int cc);

typedef struct GpuKernel {
    int m, n, k;          /* the block's tile and one step of the reduction */
    int inner_m, inner_n; /* tile of a warp (tensor cores) or of a thread (CUDA cores) */
    int slices;           /* tensor cores: groups of warps that share out the steps of a buffer */
    bool turned;          /* tensor cores: the multiply-add's 16 rows lie along n */
    int stages;           /* of the shared-memory ring */
    int blocks;           /* that one SM holds at a time */
    int align;            /* bytes to which all lines of both operands must be aligned: 16, or 1 for any */
    bool tma;             /* for sm_90a: warpgroups multiply, tensor maps describe the operands; inner_* and slices are unused */
    int cluster;          /* blocks that compute a tile together, m / cluster rows each; more than 1 only for sm_90a */
    bool row;             /* a vector times a matrix, on the CUDA cores: m is 1, or n when turned; likewise */
    int threads, shared;  /* of a block; bytes of shared memory */
    GpuRates rates[GPU_COUNT];
} GpuKernel;

/* Two kernels, by number, that also exist as one for two regions in one launch. */
typedef struct GpuTwin {
    int first, second, shared, blocks;
} GpuTwin;

/* What the tensor cores multiply for a contraction. */
typedef struct GpuProduct {
    const char *a, *b;       /* element types as PTX spells them */
    const char *acc, *ptx_acc; /* type of the sum in C and in PTX */
    int bytes;               /* of an element */
    int rows, k;             /* of the larger factor; steps of k in 32 bytes */
    const char *fragment;    /* C type of a fragment's registers */
    int x_count, y_count;    /* registers of a 16-row (8-row) and of an 8-column fragment */
} GpuProduct;

/* How the tensor cores compute a contraction; NULL: the CUDA cores do. Static storage. */
const GpuProduct *gpu_product(const Contraction *c);

/* Kernels for a contraction: those of the table that fit it, as far as `opt` keeps them (plan/gpu_rank.h); the table is ordered by
 * usefulness. Arena-owned. */
const GpuKernel *gpu_kernels(Arena *arena, const Contraction *c, const KernelOptions *opt, int *count);

/* Which of these kernels also come as twins. Arena-owned. */
const GpuTwin *gpu_twins(Arena *arena, const GpuKernel *kernels, int nkernels, int *count);

/* Along which dimension of a or b neighbours in memory lie: R_K, or `outer`. When nobody knows, R_K. */
Role gpu_inner(const Contraction *c, const Operand *o, Role outer);

/* "128x128x32_sm80": what a kernel is called among those of its type. */
const char *gpu_kernel_name(Arena *arena, const Contraction *c, const GpuKernel *k);

/* "mik_gemm_f16f32_128x128x32_sm80" */
const char *gpu_symbol(Arena *arena, const Contraction *c, const GpuKernel *k);

#endif
