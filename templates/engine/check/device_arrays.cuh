/* SPDX-License-Identifier: GPL-3.0-or-later OR LicenseRef-mikgen-output */
/* Arrays in device memory between margins that hold the pattern and must not change; what reads them gets NaNs. */
#pragma once
#include "compare.h"

static size_t margin = 256;

typedef struct {
    unsigned char *map;
    size_t map_size;
    unsigned char *data;         /* on the device */
} DeviceBuffer;

static void mik_cuda(cudaError_t error, const char *what)
{
    if (error == cudaSuccess)
        return;
    printf("cannot go on: %s: %s\n", what, cudaGetErrorString(error));
    exit(2);
}

/* Against one end it is aligned as well as memory can be, against the other only to its elements. */
static DeviceBuffer mik_to_device(const void *bytes, size_t size, size_t offset)
{
    DeviceBuffer d;
    d.map_size = size + offset + 2 * margin;
    mik_cuda(cudaMalloc((void **)&d.map, d.map_size ? d.map_size : 1), "cudaMalloc");
    mik_cuda(cudaMemset(d.map, PATTERN, d.map_size), "cudaMemset");
    d.data = d.map + margin + offset;
    if (bytes != NULL && size > 0)
        mik_cuda(cudaMemcpy(d.data, bytes, size, cudaMemcpyHostToDevice), "cudaMemcpy");
    return d;
}

/* Copies the array back and tells whether everything around it still holds the pattern. */
static int mik_from_device(const DeviceBuffer *d, void *bytes, size_t size)
{
    int same = 1;
    unsigned char *all = (unsigned char *)malloc(d->map_size + 1);
    if (all == NULL)
        mik_fatal("malloc");
    mik_cuda(cudaMemcpy(all, d->map, d->map_size, cudaMemcpyDeviceToHost), "cudaMemcpy");
    size_t at = (size_t)(d->data - d->map);
    for (size_t i = 0; i < d->map_size; i++)
        same = same && ((i >= at && i < at + size) || all[i] == PATTERN);
    if (bytes != NULL)
        memcpy(bytes, all + at, size);
    free(all);
    return same;
}
