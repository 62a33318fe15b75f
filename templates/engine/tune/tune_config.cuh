/* SPDX-License-Identifier: GPL-3.0-or-later OR LicenseRef-mikgen-output */
/*
 * What the measuring program of `mikgen tune --target=cuda` finds in the emitted file before it: kernels as a table, devices. It is no
 * part of that program: see templates/assemble.py.
 */
#pragma once
#define MIK_ALONE 1                  /* the products are elsewhere */
#include <cuda_runtime.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

typedef struct {
    void *workspace;
    size_t workspace_bytes;
    int workspace_clean, pattern, kernel[2];
    int64_t split, blocks[2];
} mikgen_cuda_options;

typedef struct {
    const char *name;
    int m, n, k, tma;
} mik_variant;

typedef struct {
    const mik_variant *variants;
    int count, a_bytes, b_bytes, c_bytes;
} mik_set;

typedef struct {
    int ordinal;
} mik_device;

cudaError_t mik_get_device(mik_device *d);
int mik_resident(const mik_variant *v, const mik_device *d);
