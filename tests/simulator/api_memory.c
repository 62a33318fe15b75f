/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Allocations and copies, as programs call them. */
#include <stdio.h>
#include <stdlib.h>

#include "runtime_api.h"

static cudaError_t enter_memory(void)
{
    cudaError_t error = enter();
    return error != cudaSuccess ? error : forbid_in_capture();
}

static cudaError_t allocate(void **pointer, size_t size)
{
    *pointer = NULL;
    if (size == 0)
        return cudaSuccess;
    uint64_t address = heap_allocate(size, 256, NULL);
    *pointer = (void *)(uintptr_t)address;
    return leave(address ? cudaSuccess : cudaErrorMemoryAllocation);
}

cudaError_t cudaMalloc(void **pointer, size_t size)
{
    if (!pointer)
        return leave(cudaErrorInvalidValue);
    cudaError_t error = enter_memory();
    return error != cudaSuccess ? error : allocate(pointer, size);
}

cudaError_t cudaMallocAsync(void **pointer, size_t size, cudaStream_t stream)
{
    (void)stream;
    return cudaMalloc(pointer, size);
}

cudaError_t cudaMallocPitch(void **pointer, size_t *pitch, size_t width, size_t height)
{
    *pitch = (width + 511) / 512 * 512;
    return cudaMalloc(pointer, *pitch * height);
}

/* As a device would, this waits for everything, and tells what went wrong. */
cudaError_t cudaFree(void *pointer)
{
    cudaError_t error = enter_memory();
    if (error == cudaSuccess)
        error = synchronise_errors();
    if (error != cudaSuccess || !pointer)
        return error;
    return leave(heap_free((uint64_t)(uintptr_t)pointer) ? cudaSuccess : cudaErrorInvalidValue);
}

cudaError_t cudaFreeAsync(void *pointer, cudaStream_t stream)
{
    (void)stream;
    cudaError_t error = enter_memory();
    if (error != cudaSuccess || !pointer)
        return error;
    return leave(heap_free((uint64_t)(uintptr_t)pointer) ? cudaSuccess : cudaErrorInvalidValue);
}

cudaError_t cudaHostAlloc(void **pointer, size_t size, unsigned flags)
{
    (void)flags;
    cudaError_t error = enter_memory();
    if (error == cudaSuccess)
        *pointer = calloc(1, size + 1);
    return error;
}

cudaError_t cudaMallocHost(void **pointer, size_t size) { return cudaHostAlloc(pointer, size, 0); }

cudaError_t cudaFreeHost(void *pointer)
{
    cudaError_t error = enter_memory();
    if (error == cudaSuccess)
        free(pointer);
    return error;
}

cudaError_t cudaMemGetInfo(size_t *available, size_t *total)
{
    cudaError_t error = enter();
    *total = heap_limit();
    *available = heap_limit() - heap_used();
    return error;
}

cudaError_t cudaPointerGetAttributes(struct cudaPointerAttributes *a, const void *pointer)
{
    cudaError_t error = enter();
    bool is_device = heap_is_device(pointer) && heap_covers((uint64_t)(uintptr_t)pointer, 1);
    memset(a, 0, sizeof *a);
    a->type = is_device ? cudaMemoryTypeDevice : cudaMemoryTypeUnregistered;
    a->devicePointer = is_device ? (void *)(uintptr_t)pointer : NULL;
    a->device = is_device ? 0 : -2;
    return error;
}

/* ---- copies ---- */

static bool is_right(const void *pointer, size_t pitch, size_t width, size_t rows, bool should_be_device)
{
    if (heap_is_device(pointer) != should_be_device || !pointer)
        return false;
    for (size_t r = 0; should_be_device && r < rows; r++)
        if (!heap_covers((uint64_t)(uintptr_t)pointer + r * pitch, width))
            return false;
    return true;
}

static cudaError_t make_copy(Node *n, void *to, size_t pitch, const void *from, size_t from_pitch, size_t width, size_t rows,
                             enum cudaMemcpyKind kind)
{
    bool to_device = kind == cudaMemcpyHostToDevice || kind == cudaMemcpyDeviceToDevice;
    bool from_device = kind == cudaMemcpyDeviceToHost || kind == cudaMemcpyDeviceToDevice;
    if (kind < cudaMemcpyHostToHost || kind > cudaMemcpyDefault)
        return cudaErrorInvalidMemcpyDirection;
    if (kind == cudaMemcpyDefault) {
        to_device = heap_is_device(to);
        from_device = heap_is_device(from);
    }
    if (width == 0 || rows == 0)
        return cudaSuccess;
    if (width > pitch || width > from_pitch)
        return cudaErrorInvalidValue;
    if (!is_right(to, pitch, width, rows, to_device) || !is_right(from, from_pitch, width, rows, from_device)) {
        char text[200];
        snprintf(text, sizeof text, "a copy of %zu x %zu bytes from %p to %p: not inside live allocations of its kind", rows, width, from,
                 to);
        diagnose(SIM_OUT_OF_BOUNDS, text);
        return cudaErrorInvalidValue;
    }
    *n = (Node){.kind = NODE_COPY, .to = to, .from = from, .size = width, .pitch = pitch, .from_pitch = from_pitch, .rows = rows};
    return cudaSuccess;
}

static uint8_t *host_of(const void *pointer)
{
    return heap_is_device(pointer) ? heap_host((uint64_t)(uintptr_t)pointer) : (uint8_t *)(uintptr_t)pointer;
}

void node_run(const Node *n, Flight *f)
{
    if (n->kind != NODE_LAUNCH || f->synchronised != times_synchronised())
        memset(f, 0, sizeof *f);
    f->synchronised = times_synchronised();
    switch (n->kind) {
    case NODE_LAUNCH: order_run(&n->order, f); break;
    case NODE_COPY:
        for (size_t r = 0; r < n->rows; r++)
            memmove(host_of(n->to) + r * n->pitch, host_of(n->from) + r * n->from_pitch, n->size);
        break;
    case NODE_SET:
        for (size_t r = 0; r < n->rows; r++)
            memset(host_of(n->to) + r * n->pitch, n->value, n->size);
        break;
    default: break;
    }
}

static cudaError_t copy(void *to, size_t pitch, const void *from, size_t from_pitch, size_t width, size_t rows, enum cudaMemcpyKind kind,
                        bool is_async, cudaStream_t stream)
{
    Node n = {.kind = NODE_NOTHING};
    cudaError_t error = enter();
    if (error == cudaSuccess && !is_async)
        error = forbid_implicit();
    if (error == cudaSuccess && !is_async)
        error = synchronise_errors();
    if (error == cudaSuccess)
        error = make_copy(&n, to, pitch, from, from_pitch, width, rows, kind);
    if (error == cudaSuccess && n.kind == NODE_COPY)
        error = submit(is_async ? stream : NULL, &n);
    return leave(error);
}

cudaError_t cudaMemcpy(void *to, const void *from, size_t size, enum cudaMemcpyKind kind)
{
    return copy(to, size, from, size, size, 1, kind, false, NULL);
}

cudaError_t cudaMemcpyAsync(void *to, const void *from, size_t size, enum cudaMemcpyKind kind, cudaStream_t stream)
{
    return copy(to, size, from, size, size, 1, kind, true, stream);
}

cudaError_t cudaMemcpy2D(void *to, size_t pitch, const void *from, size_t from_pitch, size_t width, size_t rows, enum cudaMemcpyKind kind)
{
    return copy(to, pitch, from, from_pitch, width, rows, kind, false, NULL);
}

cudaError_t cudaMemcpy2DAsync(void *to, size_t pitch, const void *from, size_t from_pitch, size_t width, size_t rows,
                              enum cudaMemcpyKind kind, cudaStream_t stream)
{
    return copy(to, pitch, from, from_pitch, width, rows, kind, true, stream);
}

static cudaError_t set(void *to, size_t pitch, int value, size_t width, size_t rows, bool is_async, cudaStream_t stream)
{
    cudaError_t error = enter();
    if (error == cudaSuccess && !is_async)
        error = forbid_implicit();
    if (error != cudaSuccess || width == 0 || rows == 0)
        return leave(error);
    if (!is_right(to, pitch, width, rows, true)) {
        char text[200];
        snprintf(text, sizeof text, "a memset of %zu x %zu bytes at %p: not inside a live allocation", rows, width, to);
        diagnose(SIM_OUT_OF_BOUNDS, text);
        return leave(cudaErrorInvalidValue);
    }
    Node n = {.kind = NODE_SET, .to = to, .size = width, .pitch = pitch, .rows = rows, .value = value};
    return leave(submit(is_async ? stream : NULL, &n));
}

cudaError_t cudaMemset(void *to, int value, size_t size) { return set(to, size, value, size, 1, false, NULL); }

cudaError_t cudaMemsetAsync(void *to, int value, size_t size, cudaStream_t stream) { return set(to, size, value, size, 1, true, stream); }

cudaError_t cudaMemset2D(void *to, size_t pitch, int value, size_t width, size_t rows)
{
    return set(to, pitch, value, width, rows, false, NULL);
}

cudaError_t cudaMemset2DAsync(void *to, size_t pitch, int value, size_t width, size_t rows, cudaStream_t stream)
{
    return set(to, pitch, value, width, rows, true, stream);
}

/* ---- variables ---- */

static cudaError_t symbol_address(const void *symbol, size_t offset, size_t size, uint64_t *address)
{
    size_t room;
    *address = variable_find(symbol, &room);
    if (!*address)
        return cudaErrorInvalidSymbol;
    *address += offset;
    return offset + size > room ? cudaErrorInvalidValue : cudaSuccess;
}

cudaError_t cudaMemcpyToSymbol(const void *symbol, const void *from, size_t size, size_t offset, enum cudaMemcpyKind kind)
{
    uint64_t address;
    cudaError_t error = enter();
    if (error == cudaSuccess)
        error = symbol_address(symbol, offset, size, &address);
    return error != cudaSuccess ? leave(error) : cudaMemcpy((void *)(uintptr_t)address, from, size, kind);
}

cudaError_t cudaMemcpyFromSymbol(void *to, const void *symbol, size_t size, size_t offset, enum cudaMemcpyKind kind)
{
    uint64_t address;
    cudaError_t error = enter();
    if (error == cudaSuccess)
        error = symbol_address(symbol, offset, size, &address);
    return error != cudaSuccess ? leave(error) : cudaMemcpy(to, (void *)(uintptr_t)address, size, kind);
}

cudaError_t cudaMemcpyToSymbolAsync(const void *symbol, const void *from, size_t size, size_t offset, enum cudaMemcpyKind kind,
                                    cudaStream_t stream)
{
    uint64_t address;
    cudaError_t error = enter();
    if (error == cudaSuccess)
        error = symbol_address(symbol, offset, size, &address);
    return error != cudaSuccess ? leave(error) : cudaMemcpyAsync((void *)(uintptr_t)address, from, size, kind, stream);
}

cudaError_t cudaGetSymbolAddress(void **pointer, const void *symbol)
{
    size_t size;
    cudaError_t error = enter();
    if (error != cudaSuccess)
        return error;
    *pointer = (void *)(uintptr_t)variable_find(symbol, &size);
    return leave(*pointer ? cudaSuccess : cudaErrorInvalidSymbol);
}

cudaError_t cudaGetSymbolSize(size_t *size, const void *symbol)
{
    cudaError_t error = enter();
    if (error != cudaSuccess)
        return error;
    return leave(variable_find(symbol, size) ? cudaSuccess : cudaErrorInvalidSymbol);
}
