/* SPDX-License-Identifier: GPL-3.0-or-later OR LicenseRef-mikgen-output */
/* Where the arrays of a call lie in one block of memory; what it holds before and after. */
#pragma once
#include "check_settings.h"
#include "compare.h"
#if MIK_CUDA
#include "device_ways.cuh"
#else
#include "ways.h"
#endif

enum { NO_PLACE = -1, APART = 256 };
typedef struct {
    int64_t at[MAX_PARAMS];      /* NO_PLACE: null */
    int64_t workspace;           /* of one byte, where the call takes options; NO_PLACE: none */
    size_t size;
    unsigned char *before, *after;
    int status, fault;
} Placed;

static Placed mik_place_apart(const Case *c)
{
    Placed p;
    memset(&p, 0, sizeof p);
    p.workspace = NO_PLACE;
    p.size = APART;
    for (int i = 0; i < c->op->count; i++)
        if (mik_is_array(c, i)) {
            p.at[i] = (int64_t)p.size;
            p.size += (mik_bytes(c, i) + 2 * APART - 1) / APART * APART;
        }
    return p;
}

/* Runs the operator by one of its entry points on arrays that are placed like that. */
static void mik_run_placed(const Case *c, Placed *p, int serial)
{
    Arg args[MAX_PARAMS];
    p->before = (unsigned char *)malloc(p->size);
    p->after = (unsigned char *)malloc(p->size);
    if (!p->before || !p->after)
        mik_fatal("malloc");
    memcpy(args, c->args, sizeof args);
    memset(p->before, PATTERN, p->size);
    for (int i = 0; i < c->op->count; i++)
        if (mik_is_array(c, i) && p->at[i] != NO_PLACE)
            memcpy(p->before + p->at[i], c->entry[i], mik_bytes(c, i));
#if MIK_CUDA
    unsigned char *block, *room;
    const Way way = {"placed", 0, {0, 0}, 0, 0, 0, 0};
    const size_t room_bytes = c->op->workspace(args, &way);
    mik_cuda(cudaMalloc((void **)&block, p->size), "cudaMalloc");
    mik_cuda(cudaMalloc((void **)&room, room_bytes + 1), "cudaMalloc");
    mik_cuda(cudaMemcpy(block, p->before, p->size, cudaMemcpyHostToDevice), "cudaMemcpy");
#else
    Buffer buffer = mik_allocate((p->size + 63) / 64 * 64, AT_BEGIN);
    unsigned char *block = buffer.data;
    const Way way = {"placed", 0, 1, 0, 0, 0};
    memcpy(block, p->before, p->size);
#endif
    for (int i = 0; i < c->op->count; i++)
        if (mik_is_array(c, i))
            args[i].p = p->at[i] != NO_PLACE ? block + p->at[i] : NULL;
    snprintf(fault_place, sizeof fault_place, "%.800s, wrong arguments", mik_describe(c));
    p->fault = sigsetjmp(fault_return, 1);
    if (p->fault == 0) {
        guarded = 1;
#if MIK_CUDA
        p->status = serial && c->op->rooms == 0 ? c->op->serial(args)
                    : p->workspace != NO_PLACE  ? c->op->with(args, &way, block + p->workspace, 1)
                                                : c->op->with(args, &way, room, room_bytes);
#else
        const int room = p->workspace != NO_PLACE;
        p->status = serial ? c->op->serial(args) : c->op->with(args, &way, room ? block + p->workspace : NULL, room);
#endif
    }
    guarded = 0;
#if MIK_CUDA
    if (p->status == 0 && p->fault == 0)
        p->status = (int)cudaDeviceSynchronize();
    mik_cuda(cudaMemcpy(p->after, block, p->size, cudaMemcpyDeviceToHost), "cudaMemcpy");
    cudaFree(block);
    cudaFree(room);
#else
    memcpy(p->after, block, p->size);
    mik_release(&buffer);
#endif
}

/* Does the call come back with `status` (-1: any error) and nothing written? */
static int mik_is_refused(const Placed *p, int status)
{
    return p->fault == 0 && (status == -1 ? p->status != 0 : p->status == status) && memcmp(p->before, p->after, p->size) == 0;
}

/* Has the call done what the reference does? */
static int mik_is_right(const Case *c, const Placed *p, const char *way)
{
    if (p->fault || p->status)
        return 0;
    for (int i = 0; i < c->op->count; i++)
        if (mik_is_array(c, i) && p->at[i] != NO_PLACE && mik_compare(c, way, AT_BEGIN, i, p->after + p->at[i]) != 0)
            return 0;
    return 1;
}

static void mik_judge(const Case *c, Placed *p, int ok, const char *what)
{
    if (!ok)
        printf("FAILED: %s, %s: status %d%s%s\n", mik_describe(c), what, p->status,
               p->fault                               ? ", "
               : memcmp(p->before, p->after, p->size) ? ", something is written"
                                                      : "",
               p->fault ? mik_fault_name(p->fault) : "");
    passed += ok;
    failed += !ok;
    free(p->before);
    free(p->after);
}

/* Whether the reference uses array i at all, whose pages nobody may touch: a null pointer would stop it under sanitizers. */
static int mik_is_touched(const Case *c, int i)
{
    Arg args[MAX_PARAMS];
    Buffer buffers[MAX_PARAMS];
    mik_place(c, args, buffers, AT_BEGIN);
    if (mprotect(buffers[i].map, buffers[i].map_size, PROT_NONE))
        mik_fatal("mprotect");
    const int fault = sigsetjmp(fault_return, 1);
    if (fault == 0) {
        guarded = 1;
        c->op->reference(args);
    }
    guarded = 0;
    mik_release_all(buffers);
    return fault != 0;
}
