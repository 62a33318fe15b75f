/* What the families share at run time: the processor's instruction sets, tasks for threads. */
#pragma once
#include "problem.h"

#if defined(_OPENMP)
#include <omp.h>
#endif

/* The instruction set to use: 1 portable, 2 AVX2 with FMA, 3 AVX-512, 4 NEON, 5 AVX-512 and its dot products where they
   are of use; 0 when `wish` (0: the best) is not there. On x86 the compiler's run-time support also checks that the
   operating system saves the registers. */
MIK_SHARED int mik_isa(int wish, int needs)
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
