/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What machine_code.sh must find fault with: a kernel that spills, one with narrow copies, one with too many
   registers for the blocks that are hoped for, ones with fences in their loops, one that clamps its addresses in a
   loop that multiplies, and plain ones. */
#include <stdint.h>

extern "C" __global__ void __launch_bounds__(256) plain(float4 *x)
{
    extern __shared__ float4 tile[];
    tile[threadIdx.x] = x[threadIdx.x];
    __syncthreads();
    x[threadIdx.x] = tile[255 - threadIdx.x];
}

extern "C" __global__ void __launch_bounds__(256) narrow(float *x)
{
    __shared__ float tile[256];
    asm volatile("cp.async.ca.shared.global [%0], [%1], 4;" ::"r"((uint32_t)__cvta_generic_to_shared(&tile[threadIdx.x])),
                 "l"(&x[threadIdx.x])
                 : "memory");
    asm volatile("cp.async.wait_all;" ::: "memory");
    __syncthreads();
    x[threadIdx.x] = tile[255 - threadIdx.x];
}

/* Two copies of 16 bytes of each thread are on their way, or about to be. */
extern "C" __global__ void __launch_bounds__(256) shallow(float4 *x, int count)
{
    extern __shared__ float4 tile[];
    float sum = 0;
#pragma unroll 1
    for (int i = -1; i < count; i++) {
        if (i >= 0) {
            asm volatile("cp.async.wait_group 1;" ::: "memory");
            sum += tile[i % 2 * 256 + threadIdx.x].x;
        }
        asm volatile(
            "cp.async.cg.shared.global [%0], [%1], 16;" ::"r"((uint32_t)__cvta_generic_to_shared(&tile[i % 2 * 256 + threadIdx.x])),
            "l"(&x[i * 256 + threadIdx.x])
            : "memory");
        asm volatile("cp.async.commit_group;" ::: "memory");
    }
    x[threadIdx.x].x = sum;
}

/* N values of a thread, all of them alive from the first loop to the last. */
#define KEEP(N) \
    float kept[N]; \
    _Pragma("unroll") for (int i = 0; i < N; i++) kept[i] = x[threadIdx.x + 256 * i]; \
    for (int j = 0; j < count; j++) \
        _Pragma("unroll") for (int i = 0; i < N; i++) kept[i] = kept[i] * kept[(i + 7) % N] + x[j]; \
    _Pragma("unroll") for (int i = 0; i < N; i++) x[threadIdx.x + 256 * i] = kept[i];

extern "C" __global__ void __launch_bounds__(256, 2) spilling(float *x, int count) { KEEP(160) }

extern "C" __global__ void __launch_bounds__(256) wide(float *x, int count) { KEEP(96) }

/* Every step waits until the whole GPU sees what was stored. */
extern "C" __global__ void __launch_bounds__(256) fenced(float *x, int count)
{
    float sum = 0;
#pragma unroll 1
    for (int i = 0; i < count; i++) {
        sum = sum * x[i] + x[i + 1];
        x[i + threadIdx.x] = sum;
        __threadfence();
    }
    x[threadIdx.x] = sum;
}

extern "C" __global__ void __launch_bounds__(256) published(unsigned *x, int count)
{
#pragma unroll 1
    for (int i = 0; i < count; i++) {
        x[i * 256 + threadIdx.x] = i;
        __threadfence();
    }
}

extern "C" __global__ void __launch_bounds__(256) counted(unsigned *x, int count)
{
#pragma unroll 1
    for (int i = 0; i < count; i++) {
        x[i * 256 + threadIdx.x] = i;
        __threadfence();
        x[threadIdx.x] = atomicAdd(&x[i], 1);
    }
}

/* Sixteen products a turn, of elements that all exist, or of the last one instead of those that do not. */
#define PRODUCTS(AT) \
    float sum = 0; \
    _Pragma("unroll 1") for (int i = 0; i < count; i += 16) _Pragma("unroll") for (int j = 0; j < 16; j++) sum = sum * x[AT] + x[i]; \
    x[threadIdx.x] = sum;

extern "C" __global__ void __launch_bounds__(256) looping(float *x, int count) { PRODUCTS(i + j) }

extern "C" __global__ void __launch_bounds__(256) clamping(float *x, int count) { PRODUCTS(min(i * (j + 3) + (int)threadIdx.x, count - 1)) }

/* Asks whether what is left of two tiles of 128 fills the second. */
extern "C" __global__ void __launch_bounds__(256) asking(int *x, int count)
{
    const int left = count - (int)blockIdx.x % 2 * 128, some = left < 0 ? 0 : left < 128 ? left : 128;
    x[threadIdx.x] = some == 128 || count == x[1] ? x[0] : some;
}

/* Hands registers over, which ptxas leaves out where it is not told how many blocks there are at least. */
extern "C" __global__ void __launch_bounds__(384) unbounded(float *x)
{
#if defined(__CUDA_ARCH_FEAT_SM90_ALL)
    if (threadIdx.x < 128)
        asm volatile("setmaxnreg.dec.sync.aligned.u32 40;");
    else
        asm volatile("setmaxnreg.inc.sync.aligned.u32 232;");
#endif
    x[threadIdx.x] *= 2;
}
