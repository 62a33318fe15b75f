/* SPDX-License-Identifier: GPL-3.0-or-later OR LicenseRef-mikgen-output */
/* Every way to run an operator on the GPU. */
#pragma once
#include "check_trace.h"
#include "device_arrays.cuh"

/* Way 0 lets the dispatcher choose, way 1 does so through the plain entry point, way 2 in a graph; then each kernel alone, with a block for each
   tile and with tiles shared by blocks, then cuts
   between neighbouring kernels, and between all that share a launch; then products that share a launch, and attention as one, by each kernel. What a shape or its alignment does not allow
   is refused, and counted. */
enum { WAYS_OF_KERNEL = 4, FREE_WAYS = 3, SHARED_ROOM = 4 << 20 };
static long forced, refused;
static long
    launches[OPS][PLANS]; /* forced ones of each kernel, then of each pair that shares a launch, then of groups of products by a kernel */

static int mik_way_count(const Op *op) { return FREE_WAYS + WAYS_OF_KERNEL * op->kernels + 2 * op->twins + op->groups; }

static Way mik_way(const Op *op, int w)
{
    static char name[100];
    Way way = {w == 2 ? "captured into a graph" : "chosen by the dispatcher", 0, {0, 0}, 0, 0, w == 1, w == 2};
    if (w >= FREE_WAYS) {
        const int kind = (w - FREE_WAYS) % WAYS_OF_KERNEL;
        way.pattern = kind < 2 ? 1 : kind;
        way.kernel[0] = (w - FREE_WAYS) / WAYS_OF_KERNEL;
        way.kernel[1] = way.kernel[0] > 0 ? way.kernel[0] - 1 : 0;
        way.split = w % 3 == 0 ? 16 : 1 + 5 * (w % 4);
        way.blocks = kind == 1 ? 2 + w % 5 : 0;
        const int twin = w - FREE_WAYS - WAYS_OF_KERNEL * op->kernels;
        if (twin >= 2 * op->twins) {
            way.pattern = op->group[twin - 2 * op->twins][0];
            way.kernel[0] = op->group[twin - 2 * op->twins][1];
            way.blocks = 0;
        } else if (twin >= 0) {
            way.pattern = 2 + twin % 2;
            way.kernel[0] = op->twin[twin / 2][0];
            way.kernel[1] = op->twin[twin / 2][1];
            way.split = 16 + twin / 2 * 16;
            way.blocks = 0;
        }
        snprintf(name, sizeof name, "pattern %d, kernels %d and %d, cut at %lld, %lld blocks", way.pattern, way.kernel[0], way.kernel[1],
                 (long long)way.split, (long long)way.blocks);
        way.name = name;
    }
    return way;
}

static int mik_bring_back(const Case *c, const Way *way, Flush flush, const DeviceBuffer *on_device, Buffer *buffers)
{
    for (int i = 0; i < c->op->count; i++)
        if (mik_is_array(c, i) && !mik_from_device(&on_device[i], buffers[i].data, mik_bytes(c, i))) {
            mik_complain(c, way->name, flush, "writes outside %s", c->op->params[i].name);
            return 1;
        }
    return mik_inspect(c, way->name, flush, buffers);
}

/* What a forced plan that the operator took has launched: nothing where there are no outputs, and maybe nothing where loops on the host
   around them have no iterations; a pair instead of its kernels. */
static void mik_note_launches(const Case *c, const Way *way)
{
    long *const count = launches[c->op - ops];
    for (int i = 0; i < c->op->count; i++)
        if ((mik_is_array(c, i) && !c->op->params[i].is_const && c->count[i] == 0) ||
            (c->op->params[i].kind == P_INT && c->op->params[i].role == R_EXTENT && c->args[i].i <= 0))
            return;
    if (way->pattern < 4 && c->op->outputs != NULL && !c->op->outputs(c->args))
        return;
    for (int t = 0; t < c->op->twins && way->pattern > 1 && way->blocks == 0; t++)
        if (c->op->twin[t][0] == way->kernel[0] && c->op->twin[t][1] == way->kernel[1]) {
            count[c->op->kernels + t]++;
            return;
        }
    for (int g = 0; g < c->op->groups; g++)
        count[c->op->kernels + c->op->twins + g] += c->op->group[g][0] == way->pattern && c->op->group[g][1] == way->kernel[0];
    if (way->pattern >= 4)
        return;
    count[way->kernel[0]]++;
    if (way->pattern > 1)
        count[way->kernel[1]]++;
}

/* Captures a call into a graph, and launches that once: what its kernels have loaded is loaded by earlier calls. */
static int mik_run_captured(const Case *c, const Arg *args, const Way *way, void *workspace, size_t room)
{
    cudaGraph_t graph = NULL;
    cudaGraphExec_t program;
    mik_cuda(cudaStreamCreate(&check_stream), "cudaStreamCreate");
    mik_cuda(cudaStreamBeginCapture(check_stream, cudaStreamCaptureModeGlobal), "cudaStreamBeginCapture");
    int status = c->op->with(args, way, workspace, room);
    const cudaError_t ended = cudaStreamEndCapture(check_stream, &graph);
    status = status != cudaSuccess ? status : (int)ended;
    if (status == cudaSuccess) {
        mik_cuda(cudaGraphInstantiate(&program, graph, 0), "cudaGraphInstantiate");
        status = (int)cudaGraphLaunch(program, check_stream);
        status = status != cudaSuccess ? status : (int)cudaStreamSynchronize(check_stream);
        mik_cuda(cudaGraphExecDestroy(program), "cudaGraphExecDestroy");
    }
    if (graph)
        mik_cuda(cudaGraphDestroy(graph), "cudaGraphDestroy");
    mik_cuda(cudaStreamDestroy(check_stream), "cudaStreamDestroy");
    check_stream = NULL;
    return status;
}

/* Runs the emitted operator one way: 0 right, 1 wrong, -1 a forced plan that this shape does not allow. */
static int mik_run_way(const Case *c, const Way *way, Flush flush)
{
    Arg args[MAX_PARAMS];
    Buffer buffers[MAX_PARAMS];
    DeviceBuffer on_device[MAX_PARAMS];
    mik_place(c, args, buffers, flush);
    size_t room = c->op->workspace(args, way);
    if (way->serial && c->op->rooms > 0 && room > 0) {
        mik_release_all(buffers);
        return -1;
    }
    if (way->pattern > 0) /* the best plan may share no sums, copy no operands, and need less where it is one launch */
        room += SHARED_ROOM;
    for (int i = 0; i < c->op->count; i++)
        if (mik_is_array(c, i)) {
            on_device[i] = mik_to_device(buffers[i].data, mik_bytes(c, i), flush == AT_END ? mik_alignment(c, i) : 0);
            args[i].p = on_device[i].data;
        }
    snprintf(fault_place, sizeof fault_place, "%.800s, %s", mik_describe(c), way->name);
    DeviceBuffer workspace = mik_to_device(NULL, room, 0);
    int status = way->serial     ? c->op->serial(args)
                 : way->captured ? mik_run_captured(c, args, way, workspace.data, room)
                                 : c->op->with(args, way, workspace.data, room);
    int result = -1;
    forced += way->pattern > 0;
    refused += way->pattern > 0 && status == cudaErrorInvalidValue;
    if (status != cudaErrorInvalidValue || way->pattern == 0) {
        status = status != cudaSuccess ? status : (int)cudaDeviceSynchronize();
        result = status != cudaSuccess;
        if (result)
            mik_complain(c, way->name, flush, "comes back with \"%s\"", cudaGetErrorString((cudaError_t)status));
        else
            result = mik_bring_back(c, way, flush, on_device, buffers);
#if MIK_TRACE
        if (result == 0 && untrue_event) {
            mik_complain(c, way->name, flush, "tells of something that %s", untrue_event);
            result = 1;
        }
#endif
        if (result == 0 && !mik_from_device(&workspace, NULL, room)) {
            mik_complain(c, way->name, flush, "writes outside its workspace");
            result = 1;
        }
        if (way->pattern > 0)
            mik_note_launches(c, way);
    }
    cudaFree(workspace.map);
    for (int i = 0; i < c->op->count; i++)
        if (mik_is_array(c, i))
            cudaFree(on_device[i].map);
    mik_release_all(buffers);
    return result;
}
