/* SPDX-License-Identifier: GPL-3.0-or-later OR LicenseRef-mikgen-output */
/* Telling what a call launches, if its options ask: a launch is told before it is enqueued, and when it has been. */
#pragma once
#include "host_config.cuh"

/* The call that this thread is in: whom to tell (NULL: nobody asks), of which operator, of what in it. */
typedef struct {
    const mikgen_cuda_options *opt;
    const char *op, *stage;
} mik_teller;

static thread_local mik_teller mik_telling;

#if MIK_ALONE
static const char *mik_kernel_name(const void *) { return NULL; }
#else
static const char *mik_kernel_name(const void *kernel);
#endif

/* Of one that begins only now, as launches do, begin is 0, and so is its end. */
static void mik_tell(const char *what, const void *kernel, dim3 grid, dim3 threads, cudaStream_t stream, uint64_t begin, void **held)
{
    mikgen_trace_event e = {};
    const uint64_t now = mik_now();
    e.op = mik_telling.op;
    e.stage = kernel ? mik_telling.stage : NULL;
    e.what = what;
    e.kernel = kernel ? mik_kernel_name(kernel) : NULL;
    e.worker = mik_telling.opt->trace_worker;
    e.blocks = (int64_t)grid.x * grid.y * grid.z;
    e.threads = (int)(threads.x * threads.y * threads.z);
    e.stream = (void *)stream;
    e.held = held;
    e.begin = begin ? begin : now;
    e.end = begin ? now : 0;
    mik_telling.opt->trace(mik_telling.opt->trace_ctx, &e);
}

/* cudaLaunchKernel(), told. */
static cudaError_t mik_launch_told(const void *kernel, dim3 grid, dim3 threads, void **params, size_t shared, cudaStream_t stream)
{
    void *held = NULL;
    if (!mik_telling.opt)
        return cudaLaunchKernel(kernel, grid, threads, params, shared, stream);
    mik_tell("launching", kernel, grid, threads, stream, 0, &held);
    const uint64_t begin = mik_now();
    const cudaError_t error = cudaLaunchKernel(kernel, grid, threads, params, shared, stream);
    if (error == cudaSuccess)
        mik_tell("launch", kernel, grid, threads, stream, begin, &held);
    return error;
}
#if MIK_TMA

/* cudaLaunchKernelExC(), told. */
static cudaError_t mik_launch_told_ex(const cudaLaunchConfig_t *config, const void *kernel, void **params)
{
    void *held = NULL;
    if (!mik_telling.opt)
        return cudaLaunchKernelExC(config, kernel, params);
    mik_tell("launching", kernel, config->gridDim, config->blockDim, config->stream, 0, &held);
    const uint64_t begin = mik_now();
    const cudaError_t error = cudaLaunchKernelExC(config, kernel, params);
    if (error == cudaSuccess)
        mik_tell("launch", kernel, config->gridDim, config->blockDim, config->stream, begin, &held);
    return error;
}
#endif
