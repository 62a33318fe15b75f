/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What differs between kinds of GPU beside their multiply-adds, as data sheets and papers say. */
#include "plan/kernels/gpu_kernel.h"

const GpuCosts gpu_costs[GPU_COUNT] = {
    [GPU_SM80] = {1700, 0.9, 1200, 2000, 0.02},
    [GPU_SM86] = {520, 0.9, 1200, 2000, 0.02},
    [GPU_SM89] = {780, 0.9, 1000, 2000, 0.02},
    [GPU_SM90] = {4300, 0.9, 1000, 2000, 0.02},
};
