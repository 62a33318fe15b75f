/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Launches and questions about kernels, as programs call them. */
#include <stdio.h>
#include <stdlib.h>

#include "runtime_api.h"

/* <<<...>>> pushes, the kernel's stub pops. */
static struct {
    dim3 grid, block;
    size_t shared;
    cudaStream_t stream;
} configurations[16];
static int configuration_count;

unsigned __cudaPushCallConfiguration(dim3 grid, dim3 block, size_t shared, struct CUstream_st *stream);
unsigned __cudaPushCallConfiguration(dim3 grid, dim3 block, size_t shared, struct CUstream_st *stream)
{
    if (configuration_count == 16)
        return 1;
    configurations[configuration_count].grid = grid;
    configurations[configuration_count].block = block;
    configurations[configuration_count].shared = shared;
    configurations[configuration_count++].stream = stream;
    return 0;
}

cudaError_t __cudaPopCallConfiguration(dim3 *grid, dim3 *block, size_t *shared, void *stream);
cudaError_t __cudaPopCallConfiguration(dim3 *grid, dim3 *block, size_t *shared, void *stream)
{
    if (configuration_count == 0)
        return cudaErrorLaunchFailure;
    configuration_count--;
    *grid = configurations[configuration_count].grid;
    *block = configurations[configuration_count].block;
    *shared = configurations[configuration_count].shared;
    *(cudaStream_t *)stream = configurations[configuration_count].stream;
    return cudaSuccess;
}

cudaError_t order_check(const Order *o);

static bool collect_params(Order *o, const KernelState *s, void **args)
{
    o->param_size = s->function->param_size;
    o->params = calloc(1, o->param_size + 16);
    int k = 0;
    for (const Var *v = s->function->params; v; v = v->next, k++) {
        if (!args || !args[k])
            return false;
        memcpy(o->params + v->address, args[k], v->size);
    }
    return true;
}

static void take_attributes(Order *o, const cudaLaunchConfig_t *config)
{
    for (unsigned k = 0; k < config->numAttrs; k++) {
        const cudaLaunchAttribute *a = &config->attrs[k];
        if (a->id == cudaLaunchAttributeClusterDimension) {
            o->cluster[0] = a->val.clusterDim.x;
            o->cluster[1] = a->val.clusterDim.y;
            o->cluster[2] = a->val.clusterDim.z;
        } else if (a->id == cudaLaunchAttributeCooperative) {
            o->is_cooperative = a->val.cooperative != 0;
        } else if (a->id == cudaLaunchAttributeProgrammaticStreamSerialization) {
            o->is_programmatic = a->val.programmaticStreamSerializationAllowed != 0;
        }
    }
}

static cudaError_t launch(const cudaLaunchConfig_t *config, const void *func, void **args)
{
    cudaError_t error = enter();
    if (error != cudaSuccess)
        return error;
    Node node = {.kind = NODE_LAUNCH};
    Order *o = &node.order;
    o->kernel = kernel_find(func);
    KernelState *s = o->kernel ? kernel_state(o->kernel, &error) : NULL;
    if (!s)
        return leave(o->kernel ? error : cudaErrorInvalidDeviceFunction);
    const dim3 *g = &config->gridDim, *b = &config->blockDim;
    memcpy(o->grid, (uint32_t[]){g->x, g->y, g->z}, sizeof o->grid);
    memcpy(o->block, (uint32_t[]){b->x, b->y, b->z}, sizeof o->block);
    for (int k = 0; k < 3; k++)
        o->cluster[k] = s->function->cluster[0] > 0 ? (uint32_t)s->function->cluster[k] : 1;
    o->dynamic_shared = config->dynamicSmemBytes;
    take_attributes(o, config);
    error = order_check(o);
    if (error == cudaSuccess && !collect_params(o, s, args))
        error = cudaErrorInvalidValue;
    if (error == cudaSuccess)
        error = submit(config->stream, &node);
    free(o->params);
    return leave(error);
}

cudaError_t cudaLaunchKernelExC(const cudaLaunchConfig_t *config, const void *func, void **args) { return launch(config, func, args); }

cudaError_t cudaLaunchKernel(const void *func, dim3 grid, dim3 block, void **args, size_t shared, cudaStream_t stream)
{
    cudaLaunchConfig_t config = {.gridDim = grid, .blockDim = block, .dynamicSmemBytes = shared, .stream = stream};
    return launch(&config, func, args);
}

cudaError_t cudaLaunchCooperativeKernel(const void *func, dim3 grid, dim3 block, void **args, size_t shared, cudaStream_t stream)
{
    cudaLaunchAttribute a = {.id = cudaLaunchAttributeCooperative};
    a.val.cooperative = 1;
    cudaLaunchConfig_t config = {
        .gridDim = grid, .blockDim = block, .dynamicSmemBytes = shared, .stream = stream, .attrs = &a, .numAttrs = 1};
    return launch(&config, func, args);
}

cudaError_t __cudaGetKernel(cudaKernel_t *kernel, const void *func);
cudaError_t __cudaGetKernel(cudaKernel_t *kernel, const void *func)
{
    *kernel = (cudaKernel_t)kernel_find(func);
    return *kernel ? cudaSuccess : cudaErrorInvalidDeviceFunction;
}

cudaError_t __cudaLaunchKernel(cudaKernel_t kernel, dim3 grid, dim3 block, void **args, size_t shared, cudaStream_t stream);
cudaError_t __cudaLaunchKernel(cudaKernel_t kernel, dim3 grid, dim3 block, void **args, size_t shared, cudaStream_t stream)
{
    return cudaLaunchKernel(kernel, grid, block, args, shared, stream);
}

cudaError_t cudaGetKernel(cudaKernel_t *kernel, const void *func) { return leave(__cudaGetKernel(kernel, func)); }

/* ---- kernels' attributes ---- */

static KernelState *find_state(const void *func, cudaError_t *error)
{
    *error = enter();
    if (*error != cudaSuccess)
        return NULL;
    Kernel *k = kernel_find(func);
    KernelState *s = k ? kernel_state(k, error) : NULL;
    if (!k)
        *error = cudaErrorInvalidDeviceFunction;
    if (!s)
        leave(*error);
    return s;
}

static int thread_limit(const KernelState *s)
{
    const int *n = s->function->max_threads;
    return n[0] ? n[0] * n[1] * n[2] : 1024;
}

cudaError_t cudaFuncGetAttributes(struct cudaFuncAttributes *attr, const void *func)
{
    cudaError_t error;
    KernelState *s = find_state(func, &error);
    if (!s)
        return error;
    const Code *code = kernel_code(s);
    memset(attr, 0, sizeof *attr);
    attr->sharedSizeBytes = code->static_shared;
    attr->localSizeBytes = code->local_size - 16;
    attr->maxThreadsPerBlock = thread_limit(s);
    attr->numRegs = kernel_registers(s);
    attr->ptxVersion = s->module->target;
    attr->binaryVersion = settings()->cc;
    attr->maxDynamicSharedSizeBytes = s->max_dynamic ? s->max_dynamic : (int)((48u << 10) - code->static_shared);
    attr->preferredShmemCarveout = s->carveout;
    return cudaSuccess;
}

cudaError_t cudaFuncSetAttribute(const void *func, enum cudaFuncAttribute attr, int value)
{
    cudaError_t error;
    KernelState *s = find_state(func, &error);
    if (!s)
        return error;
    switch (attr) {
    case cudaFuncAttributeMaxDynamicSharedMemorySize:
        if (value < 0 || (size_t)value + kernel_code(s)->static_shared > (size_t)device_row()->shared_opt_in)
            return leave(cudaErrorInvalidValue);
        s->max_dynamic = value;
        return cudaSuccess;
    case cudaFuncAttributePreferredSharedMemoryCarveout:
        if (value < -1 || value > 100)
            return leave(cudaErrorInvalidValue);
        s->carveout = value;
        return cudaSuccess;
    case cudaFuncAttributeNonPortableClusterSizeAllowed: s->has_nonportable_cluster = value != 0; return cudaSuccess;
    default: return leave(cudaErrorInvalidValue);
    }
}

cudaError_t cudaFuncSetCacheConfig(const void *func, enum cudaFuncCache config)
{
    cudaError_t error;
    (void)config;
    return find_state(func, &error) ? cudaSuccess : error;
}

cudaError_t cudaFuncGetName(const char **name, const void *func)
{
    cudaError_t error;
    const KernelState *s = find_state(func, &error);
    if (s)
        *name = s->function->name;
    return error;
}

cudaError_t cudaOccupancyMaxActiveBlocksPerMultiprocessorWithFlags(int *blocks, const void *func, int threads, size_t dynamic,
                                                                   unsigned flags)
{
    cudaError_t error;
    KernelState *s = find_state(func, &error);
    (void)flags;
    if (!s)
        return error;
    if (threads <= 0)
        return leave(cudaErrorInvalidValue);
    size_t fixed = kernel_code(s)->static_shared;
    bool fits = threads <= thread_limit(s) && fixed + dynamic <= (size_t)device_row()->shared_opt_in;
    *blocks = fits ? blocks_per_sm(s, threads, dynamic) : 0;
    return cudaSuccess;
}

cudaError_t cudaOccupancyMaxActiveBlocksPerMultiprocessor(int *blocks, const void *func, int threads, size_t dynamic)
{
    return cudaOccupancyMaxActiveBlocksPerMultiprocessorWithFlags(blocks, func, threads, dynamic, 0);
}

cudaError_t cudaOccupancyMaxActiveClusters(int *clusters, const void *func, const cudaLaunchConfig_t *config)
{
    cudaError_t error;
    KernelState *s = find_state(func, &error);
    if (!s)
        return error;
    Order o = {.cluster = {1, 1, 1}};
    take_attributes(&o, config);
    int threads = (int)(config->blockDim.x * config->blockDim.y * config->blockDim.z);
    *clusters = blocks_per_sm(s, threads, config->dynamicSmemBytes) * device_sms() / (int)(o.cluster[0] * o.cluster[1] * o.cluster[2]);
    return cudaSuccess;
}
