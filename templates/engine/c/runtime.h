/* What the families share at run time: the folded problem, the processor's instruction sets, tasks for threads. */
#pragma once
#include "base.h"

#if defined(_OPENMP)
#include <omp.h>
#endif

/* One contraction, folded to batch x (m x n x k): out(b, m, n) from the sum over k of A(b, m, k) * B(b, k, n).
   Strides count elements; those of an operand are valid when it is a plain load with one stride per folded dimension;
   in place: also of the accumulator's type, so that kernels can read it where it lies. */
typedef struct {
    int64_t batch, m, n, k;
    int64_t a_m, a_k, b_k, b_n, c_m, c_n;
    int a_in_place, b_in_place, c_direct;
#if MIK_WITH_ROWS
    int a_rows;                        /* the operation packs A row by row, since rows are contiguous in parts */
#endif
} mik_problem;

enum { MIK_STORE, MIK_ACCUMULATE, MIK_GENERAL };                 /* what happens to a finished sum */
enum {                                                           /* bits of options.plan: forced decisions, for tests */
    MIK_KEEP_A = 1, MIK_PACK_A = 2, MIK_KEEP_B = 4, MIK_PACK_B = 8,
    MIK_TALL = 0x10,                                             /* k in one block, however small A is */
    MIK_TILES = 0x40, MIK_DOTS = 0x80, MIK_SMALL_BLOCKS = 0x100,
    MIK_ALL_THREADS = 0x200,                                     /* however small the work is */
    MIK_SPLIT = 0x400,                                           /* k, among the threads */
    MIK_STREAM = 0x800,                                          /* stores past the caches, however small the output is */
    MIK_PATTERN = 0xf000,                                        /* the number of a pattern, I to IX, 10: sweeps, 11: few steps */
    MIK_VARIANT = 0xff0000                                       /* the index of a variant plus 1 */
};

/* What a family wants of AVX-512; its dot-product instructions are an instruction set above it. */
enum { MIK_NEEDS_BW = 1, MIK_NEEDS_VNNI = 2, MIK_NEEDS_BF16 = 4, MIK_NEEDS_DOTS = 6 };

/* The instruction set to use: 1 portable, 2 AVX2 with FMA, 3 AVX-512, 4 NEON, 5 AVX-512 and its dot products where they
   are of use; 0 when `wish` (0: the best) is not there. On x86 the compiler's run-time support also checks that the
   operating system saves the registers. */
static int mik_isa(int wish, int needs)
{
    int best = 1;
#if MIK_X86
    if (__builtin_cpu_supports("avx2") && __builtin_cpu_supports("fma"))
        best = 2;
    if (best == 2 && __builtin_cpu_supports("avx512f") && (!(needs & MIK_NEEDS_BW) || __builtin_cpu_supports("avx512bw")))
        best = 3;
#endif
#if MIK_WITH_DOTS
#if MIK_X86_DOTS
    if (best == 3 && needs & MIK_NEEDS_VNNI && __builtin_cpu_supports("avx512vnni"))
        best = 5;
    if (best == 3 && needs & MIK_NEEDS_BF16 && __builtin_cpu_supports("avx512bf16"))
        best = 5;
#endif
#endif
#if MIK_NEON
    best = 4;                          /* part of every AArch64 that the file is compiled for */
#endif
    if (wish == 5 && !(needs & MIK_NEEDS_DOTS) && best == 3)
        wish = 3;
    if (wish == 0)
        return best;
    return wish == 1 || wish == best || (wish < best && wish != 4 && best != 4) ? wish : 0;
}

/* How many tasks may run at once. */
static int mik_threads(const mikgen_options *opt)
{
    if (!opt || opt->threads <= 1)
        return 1;
    if (opt->parallel_for)
        return opt->threads;
#if defined(_OPENMP)
    if (omp_in_parallel())
        return 1;
    return opt->threads;
#else
    return 1;
#endif
}

/* Runs task(arg, 0) .. task(arg, n - 1), in any order, and returns when all are done. */
static void mik_parallel(const mikgen_options *opt, int n, void (*task)(void *, int), void *arg)
{
    if (n > 1 && opt && opt->parallel_for) {
        opt->parallel_for(opt->parallel_ctx, n, task, arg);
        return;
    }
#if defined(_OPENMP)
    if (n > 1) {
#pragma omp parallel for schedule(static, 1) num_threads(n)
        for (int i = 0; i < n; i++)
            task(arg, i);
        return;
    }
#endif
    for (int i = 0; i < n; i++)
        task(arg, i);
}
