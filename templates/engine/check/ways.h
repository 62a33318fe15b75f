/* SPDX-License-Identifier: GPL-3.0-or-later OR LicenseRef-mikgen-output */
/* Every way to run an operator. */
#pragma once
#include "check_trace.h"
#include "compare.h"
#include "threads.h"

static const Way ways[] = {
    {"serial", 0, 1, 0, 1, 0},
    {"auto, 2 threads", 0, 2, 0, 0, 0},
    {"3 threads", 0, 3, 0x200, 0, 0},
    {"operands packed, 7 threads", 0, 7, 0x20a, 0, 0},
    {"5 threads of unequal speeds", 0, 5, 0x200, 0, 0},
    MIK_SET_WAYS
    /* Operators without micro-kernels have no other ways. */
#if MIK_DOT_PRODUCTS
    /* clang-format off */
    MIK_DOT_WAYS
    /* clang-format on */
#endif
#if MIK_WINOGRADS
    {"Winograd, 2 x 2", 0, 1, 0x1000000, 0, 0},
    {"Winograd, 4 x 4", 0, 1, 0x2000000, 0, 0},
    {"Winograd, 4 x 4, 3 threads", 0, 3, 0x2000000, 0, 0},
    {"Winograd, 4 x 4, MIK_LOWEST_SET", MIK_LOWEST_NUMBER, 1, 0x2000000, 0, 0},
    {"Winograd, 2 x 2, MIK_NEXT_SET, 2 threads", MIK_NEXT_NUMBER, 2, 0x1000000, 0, 0},
    {"none of Winograd's tiles", 0, 1, 0x3000000, 0, 0},
#endif
    {"operands in place", 0, 1, 0x5, 0, 0},
    {"operands packed, small blocks", 0, 1, 0x10a, 0, 0},
    {"pattern II", 0, 1, 0x2000, 0, 0},
    {"pattern II, operands packed, small blocks", 0, 1, 0x210a, 0, 0},
    {"pattern III, small blocks", 0, 1, 0x3100, 0, 0},
    {"pattern III, operands packed", 0, 1, 0x300a, 0, 0},
    {"tiles, small blocks, 2 threads", 0, 2, 0x340, 0, 0},
    {"5 threads of unequal speeds, small blocks", 0, 5, 0x340, 0, 0},
    {"5 threads of unequal speeds, sweeps", 0, 5, 0xa200, 0, 0},
    {"5 threads of unequal speeds, few steps, operands packed", 0, 5, 0xb20a, 0, 0},
    {"5 threads of unequal speeds, inner products", 0, 5, 0x280, 0, 0},
    {"inner products", 0, 1, 0x80, 0, 0},
    {"inner products, 3 threads", 0, 3, 0x280, 0, 0},
    {"k split, 3 threads", 0, 3, 0x600, 0, 0},
    {"k split, MIK_LOWEST_SET, operands packed, small blocks, 2 threads", MIK_LOWEST_NUMBER, 2, 0x70a, 0, 0},
    {"few columns, A in place", 0, 1, 0x51, 0, 0},
    {"sweeps", 0, 1, 0xa000, 0, 0},
    {"sweeps, MIK_LOWEST_SET, A packed, small blocks", MIK_LOWEST_NUMBER, 1, 0xa102, 0, 0},
    {"sweeps, MIK_NEXT_SET, 2 threads", MIK_NEXT_NUMBER, 2, 0xa200, 0, 0},
    {"few steps", 0, 1, 0xb000, 0, 0},
    {"few steps, MIK_LOWEST_SET, A packed, small blocks", MIK_LOWEST_NUMBER, 1, 0xb102, 0, 0},
    {"few steps, MIK_NEXT_SET, 3 threads", MIK_NEXT_NUMBER, 3, 0xb200, 0, 0},
    {"non-temporal stores", 0, 1, 0x840, 0, 0},
    {"non-temporal stores, MIK_NEXT_SET, small blocks, 2 threads", MIK_NEXT_NUMBER, 2, 0xb40, 0, 0},
    {"non-temporal stores, MIK_LOWEST_SET, operands packed, small blocks", MIK_LOWEST_NUMBER, 1, 0x94a, 0, 0},
    {"MIK_NEXT_SET, operands packed", MIK_NEXT_NUMBER, 1, 0xa, 0, 0},
    {"MIK_LOWEST_SET, operands packed, small blocks", MIK_LOWEST_NUMBER, 1, 0x10a, 0, 0},
};
enum { WAYS = sizeof ways / sizeof ways[0], LOOP_WAYS = MIK_LOOP_WAYS, SERIAL_WAYS = 5 };

static int mik_way_count(const Op *op) { return op->kernels ? WAYS : op->by_isa ? LOOP_WAYS : SERIAL_WAYS; }

static Way mik_way(const Op *op, int w)
{
    (void)op;
    return ways[w];
}

/* Bit i: instruction set i, as options.isa counts, did a call; refused one (empty problems need none). */
static unsigned isas_run, isas_refused;

static void mik_print_isas(void)
{
    static const char *const names[] = {NULL, MIK_SET_NAMES};
    if (isas_run == 0)
        return;                  /* no operator has text for instruction sets */
    printf("instruction sets:");
    for (unsigned i = 1; i < sizeof names / sizeof names[0]; i++)
        if ((isas_run & ~isas_refused) >> i & 1)
            printf(" %s", names[i]);
    printf("\n");
}

/* Runs the emitted operator one way: 0 right, 1 wrong, -1 this machine lacks the instruction set. */
static int mik_run_way(const Case *c, const Way *way, Flush flush)
{
    Arg args[MAX_PARAMS];
    Buffer buffers[MAX_PARAMS], workspace;
    if (isas_refused >> way->isa & 1)
        return -1;
    mik_place(c, args, buffers, flush);
    size_t size = way->serial ? 0 : c->op->workspace(args, way);
    workspace = mik_allocate((size + 63) / 64 * 64, flush);
    snprintf(fault_place, sizeof fault_place, "%.800s, %s", mik_describe(c), way->name);
    volatile int status = 0, result = 0;
    int fault = sigsetjmp(fault_return, 1);
    if (fault == 0) {
        guarded = 1;
        status = way->packed   ? c->op->packed(args, way, workspace.data, size)
                 : way->serial ? c->op->serial(args)
                               : c->op->with(args, way, workspace.data, size);
    }
    guarded = 0;
    if (c->op->by_isa && way->isa > 0 && fault == 0) {
        isas_run |= status == 0 ? 1u << way->isa : 0;
        isas_refused |= status == MIKGEN_UNSUPPORTED ? 1u << way->isa : 0;
    }
    if (fault != 0) {
        mik_complain(c, way->name, flush, "%s", mik_fault_name(fault));
        result = 1;
#if MIK_PORTABLE_SET
    } else if (status == MIKGEN_UNSUPPORTED && way->isa > 1) {
#else
    } else if (status == MIKGEN_UNSUPPORTED) {
#endif
        result = -1;
    } else if (status != 0) {
        mik_complain(c, way->name, flush, "comes back with error %d", status);
        result = 1;
    } else {
        result = mik_inspect(c, way->name, flush, buffers);
#if MIK_TRACE
        if (result == 0 && untrue_event) {
            mik_complain(c, way->name, flush, "tells of something that %s", untrue_event);
            result = 1;
        }
#endif
        if (result == 0 && !mik_intact(&workspace)) {
            mik_complain(c, way->name, flush, "writes outside its workspace");
            result = 1;
        }
    }
    mik_release(&workspace);
    mik_release_all(buffers);
    return result;
}
