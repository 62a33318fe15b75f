/* SPDX-License-Identifier: GPL-3.0-or-later OR LicenseRef-mikgen-output */
/*
 * What a generated file decides about its host's side, here so that the files beside this one compile as they stand. It is no part of
 * generated files, which have the values and the tables of their operators: see templates/assemble.py.
 */
#pragma once
#include "../c/trace_clock.h"
#include "../c/trace_event.h"
#include "problem.cuh"
#include <cuda.h>
#include <math.h>
#include <stdarg.h>
#include <stdio.h>

#define MIK_ALONE 1                      /* the tables are elsewhere */
#define MIK_TRACE 1                      /* calls tell what they do, if they are asked */
#define MIK_TMA   1                        /* some kernels read through tensor maps */
#define MIK_TURNS 1                      /* of operands whose columns they take as lines, */
#define MIK_PLAIN 1                        /* some contractions are in no ragged batch */
#define MIK_ASKED 1                      /* plans are asked for before calls */
#ifndef MIK_DRAWS
#define MIK_DRAWS 0                        /* plans are written down, not run: in what mikgen asks for pictures alone */
#endif
#define MIK_NEST_SIDES   1                 /* loop nests: with axes, */
#define MIK_NEST_ROWS    1                  /* with lanes that share a row, */
#define MIK_NEST_THREADS 0                      /* blocks of other numbers of threads than 256, */
#define MIK_NEST_PARTS   1                 /* with blocks for parts of a row, */
#define MIK_NEST_COLUMNS 1               /* with several threads for each of 32 neighbours */
#define MIK_WITH_APART   1 /* arrays are told apart; and those that overlap are found; operators have arrays of their own */
#define MIK_WITH_OVERLAP 1
#define MIK_WITH_ROOM    1

enum { MIK_KERNELS = 64 }; /* of a contraction, at most */

typedef struct mikgen_cuda_options {
    void *workspace;
    size_t workspace_bytes;
    int workspace_clean, pattern, kernel[2];
    int64_t split, blocks[2];
    void (*trace)(void *ctx, const mikgen_trace_event *event);
    void *trace_ctx;
    int trace_worker;
} mikgen_cuda_options;
