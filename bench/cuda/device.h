/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Device memory of the CUDA benches: operands, and whether a result is right. */
#ifndef BENCH_CUDA_DEVICE_H
#define BENCH_CUDA_DEVICE_H

#include <cuda_runtime.h>
#include <stddef.h>
#include <stdint.h>

#include "names.h"
#include "shapes.h"

/* Throws a std::runtime_error if a call of the runtime failed. */
#define CHECK(call) device_check((call), #call, __FILE__, __LINE__)
void device_check(cudaError_t error, const char *call, const char *file, int line);

struct Device {
    char name[256];
    int cc, sms;       /* 90 for 9.0 */
    size_t l2, memory; /* bytes; of memory, what is free */
    int driver, runtime;
    int sm_clock, memory_clock; /* MHz at most */
};
Device device_open(void);

/* Numbers that only a full sum tells apart: multiples of 1/8 between -7/8 and 7/8, whose products add up exactly in any
   order; or numbers between -1 and 1 of all bits, for timing: multiplying simple ones takes less power. Of integers, 8 and 127
   times these. The sums of E4M3 stay below 256 up to k = 16384 or so, and are exact in Hopper's 14 bits, too. */
enum Fill { EXACT, RANDOM };
void device_fill(Element element, Fill fill, void *memory, size_t bytes, unsigned seed, cudaStream_t stream);

/* Product in float, each output by one thread in the order of the loops; B as is_b_along_k says. */
void device_reference(Element element, const Shape &shape, const void *A, const void *B, float *C, cudaStream_t stream);

/* Outputs are checked with so many elements behind them, which must stay as device_spoil left them. */
enum { GUARD = 64 };
void device_spoil(Element element, void *C, size_t count, cudaStream_t stream);

struct Verdict {
    unsigned long long wrong, beyond; /* outputs that differ, or were not written; elements of the guard written */
    unsigned long long first;         /* index of a wrong one */
};
/* Are the outputs the expected sums, rounded to their type; with slack, within slack * (|sum| + scale)? Synchronises. */
Verdict device_compare(Element element, const void *C, const float *expected, size_t count, float slack, float scale, cudaStream_t stream);

/* Writes nothing, reads `bytes`: what was in the caches before is gone. */
void device_read(const void *memory, size_t bytes, cudaStream_t stream);

#endif
