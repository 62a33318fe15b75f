/* SPDX-License-Identifier: GPL-3.0-or-later OR LicenseRef-mikgen-output */
/* Everything that a first call would do, done ahead. */
#pragma once
#include "devices.cuh"
#if MIK_TMA
#include "tensor_map.cuh"
#endif
#include "load.cuh"

/* Loads a kernel and allows it so much shared memory, if a block can have that much here. */
static cudaError_t mik_prepare_kernel(const void *kernel, int bytes, const mik_device *d)
{
    const cudaError_t error = mik_load(kernel);
    return error != cudaSuccess || bytes > d->shared_block
               ? error
               : cudaFuncSetAttribute(kernel, cudaFuncAttributeMaxDynamicSharedMemorySize, bytes);
}

/* Loads all kernels and allows them the shared memory they want, outside of any call that is timed or captured. Sets
   *ready to 1, or to 2 if those that use tensor maps can run. */
static cudaError_t mik_prepare_kernels(const mik_set *set, const mik_device *d, unsigned char *ready)
{
    cudaError_t error = cudaSuccess;
    if (__atomic_load_n(ready, __ATOMIC_ACQUIRE))
        return cudaSuccess;
    for (int i = 0; i < set->count && error == cudaSuccess; i++)
        error = mik_prepare_kernel(set->variants[i].kernel, set->variants[i].shared, d);
    for (int i = 0; i < set->twin_count && error == cudaSuccess; i++)
        error = mik_prepare_kernel(set->twins[i].kernel, set->twins[i].shared, d);
#if MIK_TMA
    if (error == cudaSuccess)
        error = mik_load((const void *)mik_copy_lines);
#if MIK_TURNS
    if (error == cudaSuccess)
        error = mik_load((const void *)mik_turn_lines);
#endif
    const int tma = error == cudaSuccess && mik_find_tma(set, d);
    if (error == cudaSuccess)
        __atomic_store_n(ready, (unsigned char)(1 + tma), __ATOMIC_RELEASE);
#else
    if (error == cudaSuccess)
        __atomic_store_n(ready, (unsigned char)1, __ATOMIC_RELEASE);
#endif
    return error;
}
