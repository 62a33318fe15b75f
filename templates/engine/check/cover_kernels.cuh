/* SPDX-License-Identifier: GPL-3.0-or-later OR LicenseRef-mikgen-output */
/* Every kernel at least once.

   What sampled tuples reach by chance only: each kernel, and each pair of kernels that shares a launch, on an aligned tuple with more
   than a tile. Tuples are sampled until all have run on one. */
#pragma once
#include "check_run.h"
#include "draw_tuple.h"

enum { COVERS = 48, DRAWS = 4000 };   /* tuples that the spec is meant for, and all */

static int mik_must_run(const Op *op)
{
    const size_t length = strlen(op->name);
    for (const char *at = every_kernel; at != NULL; at = strchr(at, ',') ? strchr(at, ',') + 1 : NULL)
        if (*at == '\0' || (strncmp(at, op->name, length) == 0 && (at[length] == ',' || at[length] == '\0')))
            return 1;
    return 0;
}

/* Is the device new and large enough for the kernel? */
static int mik_could_run(const Kernel *k)
{
    int device = 0, major = 0, minor = 0, shared = 0, sms = 0;
    mik_cuda(cudaGetDevice(&device), "cudaGetDevice");
    mik_cuda(cudaDeviceGetAttribute(&major, cudaDevAttrComputeCapabilityMajor, device), "compute capability");
    mik_cuda(cudaDeviceGetAttribute(&minor, cudaDevAttrComputeCapabilityMinor, device), "compute capability");
    mik_cuda(cudaDeviceGetAttribute(&shared, cudaDevAttrMaxSharedMemoryPerBlockOptin, device), "shared memory");
    mik_cuda(cudaDeviceGetAttribute(&sms, cudaDevAttrMultiProcessorCount, device), "multiprocessors");
    return (!k->tma || (major == 9 && minor == 0)) && k->shared <= shared && k->cluster <= sms;
}

/* A pair's cut is a multiple of 16, and in range on some side of most outputs. */
static int mik_cover_twin(const Case *c, int t)
{
    int result = -1;
    for (int split = 128; split >= 16 && result < 0; split /= 2)
        for (int pattern = 2; pattern <= 3 && result < 0; pattern++) {
            char name[60];
            snprintf(name, sizeof name, "pattern %d, pair %d of kernels, cut at %d", pattern, t, split);
            const Way way = {name, pattern, {c->op->twin[t][0], c->op->twin[t][1]}, split, 0, 0, 0};
            result = mik_run_way(c, &way, AT_BEGIN);
        }
    return result;
}

/* A kernel by itself: of one product, of several that share a launch. */
static int mik_cover_kernel(const Case *c, int pattern, int k)
{
    char name[60];
    snprintf(name, sizeof name, "pattern %d, kernel %d alone", pattern, k);
    const Way way = {name, pattern, {k, 0}, 0, 0, 0, 0};
    return mik_run_way(c, &way, AT_BEGIN);
}

static int mik_cover_any(const Case *c, int i)
{
    const int twin = i - c->op->kernels, group = twin - c->op->twins;
    return group >= 0  ? mik_cover_kernel(c, c->op->group[group][0], c->op->group[group][1])
           : twin >= 0 ? mik_cover_twin(c, twin)
                       : mik_cover_kernel(c, 1, i);
}

static void mik_cover(const Op *op, DataKind data)
{
    const long *const count = launches[op - ops];
    int missing = 1, covers = 0, covered[PLANS] = {0};
    for (int round = 0; round < DRAWS && covers < COVERS && missing; round++) {
        Case c;
        memset(&c, 0, sizeof c);
        c.op = op;
        mik_draw_coefficients(&c, 1);
        if (mik_draw_tuple(&c, round, TILES) && mik_prepare(&c, data)) {
            int wrong = 0;
            missing = 0;
            covers++;
            for (int i = 0; i < op->kernels + op->twins + op->groups && !wrong; i++) {
                if (covered[i] || !mik_could_run(&op->kernel[i]))
                    continue;
                const long before = count[i]; /* with no outputs, nothing is launched */
                const int result = mik_cover_any(&c, i);
                covered[i] = count[i] > before;
                missing += !covered[i];
                wrong = result > 0;
            }
            missing += wrong;
            passed += !wrong;
            failed += wrong;
        }
        mik_finish(&c);
    }
}

static void mik_print_launches(const Op *op)
{
    const long *const count = launches[op - ops];
    printf("%s: launches of each kernel by forced plans\n", op->name);
    for (int i = 0; i < op->kernels + op->twins + op->groups; i++) {
        const int could = mik_could_run(&op->kernel[i]);
        printf("%6ld  %s%s\n", count[i], op->kernel[i].name, count[i] > 0 ? "" : could ? ": NOT RUN" : ": not for this device");
        failed += count[i] == 0 && could && mik_must_run(op);
    }
}
