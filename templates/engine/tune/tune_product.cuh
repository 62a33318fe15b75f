/* SPDX-License-Identifier: GPL-3.0-or-later OR LicenseRef-mikgen-output */
/* The products that are measured: each operator with one kernel that the caller forces. */
#pragma once
#include "device_room.cuh"

enum { TUNE_WORKSPACE = 32 << 20 };

/* A product, and how it runs. */
typedef struct {
    mikgen_cuda_options opt;
    int64_t m, n, k;
    int64_t tiles, steps;
    const void *a, *b;
    void *c;
} tune_job;

typedef struct {
    const char *type;
    const mik_set *set;
    const unsigned char *ready;
    cudaError_t (*load)(void);
    cudaError_t (*run)(const void *job);
    void (*arrays)(tune_job *job);
} tune_product;
