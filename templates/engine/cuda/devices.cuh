/* SPDX-License-Identifier: GPL-3.0-or-later OR LicenseRef-mikgen-output */
/* What the current device can do. */
#pragma once
#include "device.cuh"

/* Which kind of GPU it is most like: a multiprocessor of sm_120 multiplies as one of sm_89 does; one of sm_100 by its newest instructions
   alone is faster than one of sm_90. */
static void mik_classify(mik_device *d)
{
    d->gpu = d->cc >= 120 || d->cc == 89 ? MIK_SM89 : d->cc >= 90 ? MIK_SM90 : d->cc > 80 ? MIK_SM86 : MIK_SM80;
    d->bandwidth = mik_gpus[d->gpu].bandwidth;
    d->launch = mik_gpus[d->gpu].launch;
}

/* The current device. What is asked once is kept; two threads that ask at the same time both get an answer of
   their own. */
static cudaError_t mik_get_device(mik_device *d)
{
    int i = 0, major = 0, minor = 0, clock = 0, width = 0, state = 0;
    cudaError_t error = cudaGetDevice(&i);
    if (error != cudaSuccess)
        return error;
    if (i < 0 || i >= MIK_DEVICES)
        return cudaErrorInvalidDevice;
    if (__atomic_load_n(&mik_devices[i].ready, __ATOMIC_ACQUIRE) == 2) {
        *d = mik_devices[i];
        return cudaSuccess;
    }
    d->ready = 1;
    d->ordinal = i;
    error = cudaDeviceGetAttribute(&d->sms, cudaDevAttrMultiProcessorCount, i);
    if (error == cudaSuccess)
        error = cudaDeviceGetAttribute(&major, cudaDevAttrComputeCapabilityMajor, i);
    if (error == cudaSuccess)
        error = cudaDeviceGetAttribute(&minor, cudaDevAttrComputeCapabilityMinor, i);
    if (error == cudaSuccess)
        error = cudaDeviceGetAttribute(&d->shared_sm, cudaDevAttrMaxSharedMemoryPerMultiprocessor, i);
    if (error == cudaSuccess)
        error = cudaDeviceGetAttribute(&d->shared_block, cudaDevAttrMaxSharedMemoryPerBlockOptin, i);
    if (error == cudaSuccess)
        error = cudaDeviceGetAttribute(&clock, cudaDevAttrMemoryClockRate, i);
    if (error == cudaSuccess)
        error = cudaDeviceGetAttribute(&width, cudaDevAttrGlobalMemoryBusWidth, i);
    if (error != cudaSuccess)
        return error;
    d->cc = 10 * major + minor;
    if (d->cc < 80 || d->sms < 1)
        return cudaErrorNoKernelImageForDevice;
    mik_classify(d);
    if (clock > 0 && width > 0) /* kHz and bits, two transfers a clock */
        d->bandwidth = mik_gpus[d->gpu].reached * 2 * clock * (width / 8) * 1e-9;
    if (__atomic_compare_exchange_n(&mik_devices[i].ready, &state, 1, 0, __ATOMIC_RELAXED, __ATOMIC_RELAXED)) {
        mik_devices[i] = *d;
        __atomic_store_n(&mik_devices[i].ready, 2, __ATOMIC_RELEASE);
    }
    return cudaSuccess;
}

/* The device that plans are explained for where there is none: an H200. */
static mik_device mik_default_device(void)
{
    mik_device d = {};
    d.sms = 132;
    d.cc = 90;
    d.shared_sm = 233472;
    d.shared_block = 232448;
    mik_classify(&d);
    return d;
}

/* How many tiles one multiprocessor computes at a time, those of the blocks of v that it holds; 0 when it cannot hold one. The runtime
   keeps 1 KB per block. */
static int mik_resident(const mik_variant *v, const mik_device *d)
{
    const int fit = d->shared_sm / (v->shared + 1024);
    return v->shared > d->shared_block || v->cluster > d->sms ? 0 : (fit < v->blocks ? fit : v->blocks) * v->turns;
}

/* How many tiles of v are computed at a time, with `resident` of them on a multiprocessor. */
static int64_t mik_slots(const mik_variant *v, const mik_device *d, int resident) { return (int64_t)resident * (d->sms / v->cluster); }

#if MIK_PLAIN
static int mik_resident_twin(const mik_twin *t, const mik_device *d)
{
    const int fit = d->shared_sm / (t->shared + 1024);
    return fit < t->blocks ? fit : t->blocks;
}
#endif
