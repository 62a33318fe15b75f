/* SPDX-License-Identifier: GPL-3.0-or-later OR LicenseRef-mikgen-output */
/* Device memory with numbers in it, or zeros. */
#pragma once
#include "device_clock.cuh"
#include <type_traits>

/* Numbers between -1 and 1, or of all bits: operands of zeros would cost less power, and the clocks rise. */
template <typename T> static __device__ T tune_number(uint32_t bits)
{
    if constexpr (std::is_integral<T>::value)
        return (T)(bits >> (sizeof(T) == 1 ? 24 : 20));
    else
        return (T)((float)(int32_t)bits * (1.f / 2147483648.f));
}

template <typename T> __global__ void tune_fill(T *p, int64_t n)
{
    for (int64_t i = (int64_t)blockIdx.x * blockDim.x + threadIdx.x; i < n; i += (int64_t)gridDim.x * blockDim.x) {
        uint32_t x = (uint32_t)i * 2654435761u + 12345u;
        x ^= x >> 15, x *= 2246822519u, x ^= x >> 13;
        p[i] = tune_number<T>(x);
    }
}

enum { TUNE_A, TUNE_B, TUNE_C, TUNE_WORK, TUNE_ROOMS };

/* Device memory that lives until a call with the same `which` asks for more, which moves it, or for another `kind` of contents;
   *fresh tells whether it has these contents yet. */
static void *tune_room(int which, int64_t bytes, const void *kind, int64_t *size, int *fresh)
{
    static void *kept[TUNE_ROOMS];
    static int64_t sizes[TUNE_ROOMS];
    static const void *kinds[TUNE_ROOMS];
    *fresh = kinds[which] != kind || sizes[which] < bytes;
    if (sizes[which] < bytes) {
        tune_check(cudaFree(kept[which]), "memory");
        sizes[which] = 0;
        tune_check(cudaMalloc(&kept[which], (size_t)(bytes + bytes / 4)), "memory");
        sizes[which] = bytes + bytes / 4;
    }
    kinds[which] = kind;
    *size = sizes[which];
    return kept[which];
}

/* Numbers. */
template <typename T> static T *tune_operand(int which, int64_t elements)
{
    void (*const fill)(T *, int64_t) = tune_fill<T>;
    int64_t size = 0;
    int fresh = 0;
    T *const room = (T *)tune_room(which, elements * (int64_t)sizeof(T), (const void *)fill, &size, &fresh);
    if (fresh)
        fill<<<256, 256>>>(room, size / (int64_t)sizeof(T));
    return room;
}

/* Zeros, at first. */
static void *tune_zeros(int which, int64_t bytes)
{
    int64_t size = 0;
    int fresh = 0;
    void *const room = tune_room(which, bytes, NULL, &size, &fresh);
    if (fresh)
        tune_check(cudaMemset(room, 0, (size_t)size), "memory");
    return room;
}
