/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Which GPU micro-kernels a file gets (MikPoly, section 3.3; what plan/kernels/rank.h is for the CPU's). Problems are those with sides
 * 2^j, j <= n_syn. Tiles of blocks that have a side longer than 16 * n_gen, or than the longest of a problem, are left out. Of
 * those left n_mik are kept of each sort: for operands aligned to 16 bytes, for any, of sm_90a, for one row, for one column. The one
 * whose absence costs least is dropped, again and again: what a problem costs is its time with the best kernel of the sort, relative to
 * that with all, to the eighth power, as in plan/kernels/rank.h and for the same reason. Rates are the analytical ones, on every kind of GPU
 * that runs the kernel: which kernels a file gets does not depend on where it is generated. */
#ifndef MIKGEN_PLAN_KERNELS_GPU_RANK_H
#define MIKGEN_PLAN_KERNELS_GPU_RANK_H

#include "plan/kernels/gpu_kernel.h"

/* Keeps the first *count of `list`, in their order, as far as opt's n_gen, n_syn and n_mik (0: all) say; of those for any operands one
 * at least. `bytes`: of an operand's element. */
void gpu_rank(Arena *arena, GpuKernel *list, int *count, int bytes, const KernelOptions *opt);

#endif
