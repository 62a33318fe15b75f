/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Devices, their attributes and the driver's entry points, as programs call them. */
#include <cuda.h>
#include <stdio.h>
#include <stdlib.h>

#include "runtime_api.h"

cudaError_t cudaGetDeviceCount(int *count)
{
    *count = 0;
    cudaError_t error = enter();
    if (error == cudaSuccess)
        *count = settings()->devices;
    return error;
}

cudaError_t cudaGetDevice(int *device)
{
    cudaError_t error = enter();
    if (error == cudaSuccess)
        *device = settings()->current;
    return error;
}

cudaError_t cudaSetDevice(int device)
{
    cudaError_t error = enter();
    if (error != cudaSuccess)
        return error;
    if (device < 0 || device >= settings()->devices)
        return leave(cudaErrorInvalidDevice);
    settings()->current = device;
    return cudaSuccess;
}

cudaError_t cudaInitDevice(int device, unsigned flags, unsigned more)
{
    (void)flags, (void)more;
    cudaError_t error = enter();
    return error != cudaSuccess ? error : device < 0 || device >= settings()->devices ? leave(cudaErrorInvalidDevice) : error;
}

cudaError_t cudaDeviceGetAttribute(int *value, enum cudaDeviceAttr attr, int device)
{
    cudaError_t error = enter();
    if (error != cudaSuccess)
        return error;
    if (device < 0 || device >= settings()->devices)
        return leave(cudaErrorInvalidDevice);
    const DeviceRow *r = device_row();
    switch ((int)attr) {
    case cudaDevAttrMaxThreadsPerBlock:
    case cudaDevAttrMaxBlockDimX:
    case cudaDevAttrMaxBlockDimY: *value = 1024; break;
    case cudaDevAttrMaxBlockDimZ: *value = 64; break;
    case cudaDevAttrMaxGridDimX: *value = 2147483647; break;
    case cudaDevAttrMaxGridDimY:
    case cudaDevAttrMaxGridDimZ: *value = 65535; break;
    case cudaDevAttrMaxSharedMemoryPerBlock: *value = 48 << 10; break;
    case cudaDevAttrMaxSharedMemoryPerBlockOptin: *value = r->shared_opt_in; break;
    case cudaDevAttrMaxSharedMemoryPerMultiprocessor: *value = r->shared_per_sm; break;
    case cudaDevAttrReservedSharedMemoryPerBlock: *value = 1024; break;
    case cudaDevAttrTotalConstantMemory: *value = 64 << 10; break;
    case cudaDevAttrWarpSize: *value = 32; break;
    case cudaDevAttrMaxRegistersPerBlock:
    case cudaDevAttrMaxRegistersPerMultiprocessor: *value = 65536; break;
    case cudaDevAttrClockRate: *value = r->clock_khz; break;
    case cudaDevAttrMemoryClockRate: *value = r->memory_khz; break;
    case cudaDevAttrGlobalMemoryBusWidth: *value = r->bus_bits; break;
    case cudaDevAttrL2CacheSize: *value = r->l2_bytes; break;
    case cudaDevAttrMaxPersistingL2CacheSize: *value = r->l2_bytes / 4 * 3; break;
    case cudaDevAttrMaxThreadsPerMultiProcessor: *value = r->threads_per_sm; break;
    case cudaDevAttrMaxBlocksPerMultiprocessor: *value = r->blocks_per_sm; break;
    case cudaDevAttrMultiProcessorCount: *value = device_sms(); break;
    case cudaDevAttrComputeCapabilityMajor: *value = r->cc / 10; break;
    case cudaDevAttrComputeCapabilityMinor: *value = r->cc % 10; break;
    case cudaDevAttrTextureAlignment: *value = 512; break;
    case cudaDevAttrComputeMode: *value = cudaComputeModeDefault; break;
    case cudaDevAttrUnifiedAddressing:
    case cudaDevAttrConcurrentKernels:
    case cudaDevAttrAsyncEngineCount:
    case cudaDevAttrComputePreemptionSupported:
    case cudaDevAttrStreamPrioritiesSupported:
    case cudaDevAttrMemoryPoolsSupported:
    case cudaDevAttrCooperativeLaunch: *value = 1; break;
    case cudaDevAttrClusterLaunch: *value = r->cc >= 90; break;
    default: *value = 0; break;
    }
    return cudaSuccess;
}

cudaError_t cudaGetDeviceProperties(struct cudaDeviceProp *p, int device)
{
    cudaError_t error = enter();
    if (error != cudaSuccess)
        return error;
    if (device < 0 || device >= settings()->devices)
        return leave(cudaErrorInvalidDevice);
    const DeviceRow *r = device_row();
    memset(p, 0, sizeof *p);
    snprintf(p->name, sizeof p->name, "%s", r->name);
    p->totalGlobalMem = heap_limit();
    p->sharedMemPerBlock = 48 << 10;
    p->regsPerBlock = p->regsPerMultiprocessor = 65536;
    p->warpSize = 32;
    p->maxThreadsPerBlock = p->maxThreadsDim[0] = p->maxThreadsDim[1] = 1024;
    p->maxThreadsDim[2] = 64;
    p->maxGridSize[0] = 2147483647;
    p->maxGridSize[1] = p->maxGridSize[2] = 65535;
    p->totalConstMem = 64 << 10;
    p->major = r->cc / 10;
    p->minor = r->cc % 10;
    p->multiProcessorCount = device_sms();
    p->maxThreadsPerMultiProcessor = r->threads_per_sm;
    p->maxBlocksPerMultiProcessor = r->blocks_per_sm;
    p->sharedMemPerMultiprocessor = (size_t)r->shared_per_sm;
    p->sharedMemPerBlockOptin = (size_t)r->shared_opt_in;
    p->reservedSharedMemPerBlock = 1024;
    p->l2CacheSize = r->l2_bytes;
    p->memoryBusWidth = r->bus_bits;
    p->textureAlignment = 512;
    p->unifiedAddressing = p->concurrentKernels = p->cooperativeLaunch = 1;
    return cudaSuccess;
}

cudaError_t cudaDriverGetVersion(int *version)
{
    *version = settings()->devices < 0 ? 0 : 13000;
    return cudaSuccess;
}

cudaError_t cudaRuntimeGetVersion(int *version)
{
    *version = CUDART_VERSION;
    return cudaSuccess;
}

cudaError_t cudaDeviceReset(void) { return enter(); }

cudaError_t cudaDeviceSetCacheConfig(enum cudaFuncCache config)
{
    (void)config;
    return enter();
}

cudaError_t cudaDeviceSetLimit(enum cudaLimit limit, size_t value)
{
    (void)limit, (void)value;
    return enter();
}

cudaError_t cudaDeviceGetLimit(size_t *value, enum cudaLimit limit)
{
    *value = limit == cudaLimitStackSize ? 1024 : 8 << 20;
    return enter();
}

CUresult sim_tensor_map_encode_tiled(CUtensorMap *map, CUtensorMapDataType type, cuuint32_t rank, void *address, const cuuint64_t *dims,
                                     const cuuint64_t *strides, const cuuint32_t *box, const cuuint32_t *element_strides,
                                     CUtensorMapInterleave interleave, CUtensorMapSwizzle swizzle, CUtensorMapL2promotion promotion,
                                     CUtensorMapFloatOOBfill fill);

cudaError_t cudaGetDriverEntryPointByVersion(const char *symbol, void **function, unsigned version, unsigned long long flags,
                                             enum cudaDriverEntryPointQueryResult *result)
{
    cudaError_t error = enter();
    (void)flags;
    if (error != cudaSuccess)
        return error;
    *function = NULL;
    bool is_known = strcmp(symbol, "cuTensorMapEncodeTiled") == 0;
    enum cudaDriverEntryPointQueryResult r = !is_known         ? cudaDriverEntryPointSymbolNotFound
                                             : version < 12000 ? cudaDriverEntryPointVersionNotSufficent
                                                               : cudaDriverEntryPointSuccess;
    if (r == cudaDriverEntryPointSuccess) {
        CUresult (*encode)(CUtensorMap *, CUtensorMapDataType, cuuint32_t, void *, const cuuint64_t *, const cuuint64_t *,
                           const cuuint32_t *, const cuuint32_t *, CUtensorMapInterleave, CUtensorMapSwizzle, CUtensorMapL2promotion,
                           CUtensorMapFloatOOBfill) = sim_tensor_map_encode_tiled;
        memcpy(function, &encode, sizeof encode);
    }
    if (result)
        *result = r;
    return cudaSuccess;
}

#undef cudaGetDriverEntryPoint
cudaError_t cudaGetDriverEntryPoint(const char *symbol, void **function, unsigned long long flags,
                                    enum cudaDriverEntryPointQueryResult *result)
{
    return cudaGetDriverEntryPointByVersion(symbol, function, CUDART_VERSION, flags, result);
}
