/* SPDX-License-Identifier: GPL-3.0-or-later OR LicenseRef-mikgen-output */
/* The same arrays on the device, and what a call takes there. */
#pragma once
#include "device_clock.cuh"
#include "form_case.h"

typedef struct {
    Arg args[MAX_PARAMS];
    void *array[MAX_PARAMS], *entry[MAX_PARAMS]; /* entry: as those of FormCase */
    void *room; /* the workspace */
    size_t room_bytes;
} DeviceCase;

/* How an operator is called, with a DeviceCase; bytes of workspace that it wants. */
typedef struct {
    cudaError_t (*run)(const void *arg);
    size_t (*room)(const Arg *a);
} DeviceCall;

static DeviceCase tune_device_case;

static void tune_device_end(DeviceCase *d)
{
    for (int i = 0; i < MAX_PARAMS; i++) {
        tune_check(cudaFree(d->array[i]), "memory");
        tune_check(cudaFree(d->entry[i]), "memory");
    }
    tune_check(cudaFree(d->room), "memory");
    memset(d, 0, sizeof *d);
}

/* NULL: there is no such room. An array without elements has an address, too. */
static void *tune_device_array(size_t bytes)
{
    void *array = NULL;
    if (cudaMalloc(&array, bytes ? bytes : 1) == cudaSuccess)
        return array;
    cudaGetLastError(); /* it is told once */
    return NULL;
}

static int tune_device_fill(DeviceCase *d, const FormCase *c)
{
    for (int i = 0; i < c->op->count; i++) {
        d->args[i] = c->args[i];
        if (c->op->params[i].kind == P_COEF)
            d->args[i].f = 1;
        if (c->op->params[i].kind != P_ARRAY)
            continue;
        d->args[i].p = d->array[i] = tune_device_array(c->bytes[i]);
        if (c->entry[i])
            d->entry[i] = tune_device_array(c->bytes[i]);
        if (!d->array[i] || (c->entry[i] && !d->entry[i]))
            return 0;
        tune_check(cudaMemcpy(d->array[i], c->buffers[i].data, c->bytes[i], cudaMemcpyHostToDevice), "memory");
        if (c->entry[i])
            tune_check(cudaMemcpy(d->entry[i], d->array[i], c->bytes[i], cudaMemcpyDeviceToDevice), "memory");
    }
    return 1;
}

/* As tune_case_begin; -1 also where the device has no room for it. */
static double tune_device_begin(DeviceCase *d, const DeviceCall *calls, int op, const char *extents)
{
    tune_device_end(d);
    const double bytes = tune_case_begin(&tune_case, op, extents);
    if (bytes < 0)
        return -1;
    if (!tune_device_fill(d, &tune_case)) {
        tune_device_end(d);
        tune_case_end(&tune_case);
        return -1;
    }
    d->room_bytes = calls[op].room(d->args);
    d->room = d->room_bytes ? tune_device_array(d->room_bytes) : NULL;
    return bytes;
}

/* Arrays that a call reads and changes get their values on entry. */
static void tune_device_restore(const DeviceCase *d)
{
    for (int i = 0; i < MAX_PARAMS; i++)
        if (d->entry[i])
            tune_check(cudaMemcpyAsync(d->array[i], d->entry[i], tune_case.bytes[i], cudaMemcpyDeviceToDevice, 0), "memory");
}
