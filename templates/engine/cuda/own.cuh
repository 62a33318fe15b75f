/* SPDX-License-Identifier: GPL-3.0-or-later OR LicenseRef-mikgen-output */
/* Workspaces of this file's own, each for the calls on one stream of a device, which come one after the other. */
#pragma once
#include "host_config.cuh"

typedef struct {
    int device;
    cudaStream_t stream;
    void *at; /* its first 16 KB are zero between calls */
    size_t bytes;
} mik_owned;

enum { MIK_OWNED = 32, MIK_OWNED_CLEAN = 16384 };

static mik_owned mik_owned_spaces[MIK_OWNED];
static int mik_owned_count, mik_owned_lock; /* how many can be read; who changes some of it waits for the other */

static mik_owned *mik_find_owned(cudaStream_t stream, int device)
{
    const int count = __atomic_load_n(&mik_owned_count, __ATOMIC_ACQUIRE);
    for (int i = 0; i < count; i++)
        if (mik_owned_spaces[i].stream == stream && mik_owned_spaces[i].device == device)
            return &mik_owned_spaces[i];
    return NULL;
}

/* A call that has none gets the one of its stream. Not in a capture: graphs run beside the stream, and several times at once. */
static void mik_take_owned(mikgen_cuda_options *opt, cudaStream_t stream)
{
    int device = 0;
    cudaStreamCaptureStatus state = cudaStreamCaptureStatusNone;
    if (opt->workspace || __atomic_load_n(&mik_owned_count, __ATOMIC_ACQUIRE) == 0 || cudaGetDevice(&device) != cudaSuccess)
        return;
    const mik_owned *const own = mik_find_owned(stream, device);
    if (!own || !own->at || cudaStreamIsCapturing(stream, &state) != cudaSuccess || state != cudaStreamCaptureStatusNone)
        return;
    opt->workspace = own->at;
    opt->workspace_bytes = own->bytes;
    opt->workspace_clean = 1;
}

/* So many bytes, or what there is if that is more; 0: none. */
static cudaError_t mik_resize_owned(mik_owned *own, size_t bytes)
{
    if (bytes > 0 && bytes <= own->bytes)
        return cudaSuccess;
    cudaError_t error = cudaFree(own->at);
    own->at = NULL;
    own->bytes = 0;
    if (error == cudaSuccess && bytes > 0)
        error = cudaMalloc(&own->at, bytes);
    if (error == cudaSuccess && bytes > 0)
        error = cudaMemsetAsync(own->at, 0, bytes < MIK_OWNED_CLEAN ? bytes : (size_t)MIK_OWNED_CLEAN, own->stream);
    own->bytes = error == cudaSuccess ? bytes : 0;
    return error;
}

/* cudaErrorInvalidValue: a stream that is another one in each thread, or more streams than there is room for. */
static cudaError_t mik_own(size_t bytes, cudaStream_t stream)
{
    int device = 0;
    cudaError_t error = cudaGetDevice(&device);
    if (error != cudaSuccess)
        return error;
    if (stream == cudaStreamPerThread)
        return cudaErrorInvalidValue;
#ifdef CUDA_API_PER_THREAD_DEFAULT_STREAM
    if (stream == 0)
        return cudaErrorInvalidValue;
#endif
    while (__atomic_exchange_n(&mik_owned_lock, 1, __ATOMIC_ACQUIRE))
        ;
    mik_owned *own = mik_find_owned(stream, device);
    if (!own && bytes > 0 && mik_owned_count < MIK_OWNED) {
        own = &mik_owned_spaces[mik_owned_count];
        *own = mik_owned{device, stream, NULL, 0};
        error = mik_resize_owned(own, bytes);
        __atomic_store_n(&mik_owned_count, mik_owned_count + 1, __ATOMIC_RELEASE);
    } else if (own) {
        error = mik_resize_owned(own, bytes);
    } else if (bytes > 0) {
        error = cudaErrorInvalidValue;
    }
    __atomic_store_n(&mik_owned_lock, 0, __ATOMIC_RELEASE);
    return error;
}
