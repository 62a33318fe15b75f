/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What Ansor-AF-DS ("Accelerated Auto-Tuning of GPU Kernels for Tensor Computations", ICS 2024) knows of a kernel before it runs: eight
 * numbers, each a closed form of the configuration and of what a kind of GPU has. Of these only `waves` and
 * `global` depend on extents.
 *
 *     waves         (G / S) / ceil(G / S), G blocks on S multiprocessors: what part of the last wave is there
 *     occupancy     warps that are resident on a multiprocessor / those that may be
 *     ilp           outputs of a thread: instructions that do not wait for each other
 *     wlp           warps that hide latency: the least of what shared memory and registers leave room for
 *     concurrency   wlp * ilp
 *     reuse         1 / sum over inputs of 1 / how often a thread uses what it has of one in registers
 *     global        iterations of the loops / (32 * transactions with memory)
 *     shared        a block's products / (32 * transactions with shared memory); 0: there are none
 *
 * Formulas take numbers. tune/nests/device_counts.h gets these from the tree of a nest. */
#ifndef MIKGEN_TUNE_NESTS_DEVICE_FEATURES_H
#define MIKGEN_TUNE_NESTS_DEVICE_FEATURES_H

#include <stdbool.h>
#include <stdint.h>

typedef enum DeviceFeature {
    FEATURE_WAVES,
    FEATURE_OCCUPANCY,
    FEATURE_ILP,
    FEATURE_WLP,
    FEATURE_CONCURRENCY,
    FEATURE_REUSE,
    FEATURE_GLOBAL,
    FEATURE_SHARED,
    DEVICE_FEATURES
} DeviceFeature;

/* Its word, and what it means. */
typedef struct DeviceFeatureInfo {
    const char *name, *what;
} DeviceFeatureInfo;
extern const DeviceFeatureInfo device_feature_info[DEVICE_FEATURES];

/* What a kind of GPU has. */
typedef struct DeviceLimits {
    int multiprocessors;
    int warps;            /* that may be resident on one */
    int registers;        /* of one, 32 bits each */
    int shared;           /* bytes of one */
    int block_shared;     /* bytes that a block may take */
    int thread_registers; /* that a thread may take */
    int least_threads, most_threads; /* of a block that is worth a look */
    int lanes;            /* of a warp */
    int banks, line;      /* of shared memory, words of 4 bytes; bytes of a transaction with memory */
    int other_registers;  /* that a thread takes besides its elements: occupancy */
    int spare_registers;  /* the same for wlp */
    int shared_elements;  /* of a multiprocessor, for wlp */
    int lines_ahead;      /* that a multiprocessor must prefetch, so that memory is busy: its rate times its latency */
} DeviceLimits;

/* Of a kind of GPU (plan/targets.h); of the largest one of that kind. */
const DeviceLimits *device_limits(int gpu);

/* One configuration of a kernel. */
enum { MOST_INPUTS = 16, MOST_LANES = 32 };
typedef struct DeviceNumbers {
    int64_t blocks;
    int threads;            /* of a block */
    int outputs;            /* of a thread: the product of its tile along all loops that are no sums */
    double busy, all_busy; /* warps of a block, and of all, as if each had as many transactions as the one with most; no feature of these */
    int elements; /* registers that what the body declares takes */
    int shared, shared_elements; /* bytes of a block; elements */
    double reuse[MOST_INPUTS]; /* of each input */
    int ninputs;
    double iterations; /* the product of all loops' extents */
    double transactions; /* of all blocks, with memory */
    double depth; /* iterations of a sum that what is in shared memory is good for */
    double shared_transactions; /* of a block, for these */
} DeviceNumbers;

/* All of them, by DeviceFeature. False, and all are 0, if no such block can be launched, or is worth it. */
bool device_features(const DeviceLimits *limits, const DeviceNumbers *n, double feature[DEVICE_FEATURES]);

/* ---- each by itself ---- */

double wave_efficiency(int64_t blocks, int multiprocessors);
int resident_blocks(const DeviceLimits *limits, int threads, int registers, int shared);
double occupancy_of(const DeviceLimits *limits, int threads, int registers, int shared);
/* HUGE_VAL without elements in shared memory. */
double warps_by_shared(const DeviceLimits *limits, int threads, int shared_elements);
/* 0 without inputs. */
double register_reuse(const double *reuse, int ninputs);

/* Transactions of a block that moves so many elements, each of its threads one after the other, `vector` at a time; `lines`: what an
 * instruction of a warp takes. */
double staging_transactions(const DeviceLimits *limits, double elements, int threads, int vector, double lines);

/* What an instruction of a warp takes of memory: different lines that `n` <= MOST_LANES lanes touch, which reach `bytes` from these addresses on. */
int lines_of_warp(const int64_t *address, int n, int bytes, int line);
/* And of shared memory: the most different words in one bank; words that are the same are handed to all. */
int bank_transactions(const int64_t *word, int n, int banks);

#endif
