/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What profiles know of GPUs, in place of the analytical rates and costs of plan/kernels/gpu.h.
 *
 * The user's profile wins over the built-in one; it decides alone for a type on a kind of GPU that it has lines about. Kernels
 * without a line beside others that have one keep their analytical rates, each scaled by the geometric mean of measured to
 * analytical among the kernels of their sort (vectors times matrices, warpgroups of sm_90a, the others), of all if the sort
 * has none: measured and analytical times stay comparable. Which kernels there are does not depend on profiles. */
#ifndef MIKGEN_PLAN_KERNELS_GPU_MEASURED_H
#define MIKGEN_PLAN_KERNELS_GPU_MEASURED_H

#include "plan/kernels/gpu.h"
#include "plan/profile/profile.h"

/* gpu_kernels(arena, c, opt, count) with the rates that the profiles of `opt` know. Arena-owned. */
const GpuKernel *gpu_measured_kernels(Arena *arena, const Contraction *c, const KernelOptions *opt, int *count);

/* gpu_costs[gpu], field by field replaced by what the profiles know. */
GpuCosts gpu_measured_costs(const KernelOptions *opt, int gpu);

/* The key of a kernel's record. Arena-owned. */
RecordKey gpu_record_key(Arena *arena, const Contraction *c, const GpuKernel *k, int gpu);

#endif
