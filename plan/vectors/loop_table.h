/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What became of each loop of a nest, as vectorize_nest() did it and --dump-after=vectors prints it:
 *
 *     // softmax_nest1, line 6, 5c0d61f0a7b3e924; threads: i, in tasks of MIK_LOOP_TASK_NS
 *     // loop     line  template       vectors              lanes rows  copies rest accumulators  guards   stores
 *     // j           8  row            avx512 avx2 portable    16    1      4     1            4  -        -
 *
 *     // avx2: unroll_outer 16; l2: unroll_outer 4
 *
 * Behind the line is the nest's fingerprint, as profiles name it. A loop without vectors has the reason in place of these. After the pass
 * `nests` only the first line is known. The last one, which is there from the pass `choose` on, says what is chosen otherwise than planned for
 * a set, and for classes of calls (plan/shape_classes.def). */
#ifndef MIKGEN_PLAN_VECTORS_LOOP_TABLE_H
#define MIKGEN_PLAN_VECTORS_LOOP_TABLE_H

#include "plan/plan.h"

/* How a loop is laid out: see VectorInput. */
typedef struct Layout {
    int copies, rest, ahead;
    bool halves, streams, wished;
} Layout;

/* One loop: what it was, and what was made of it for the first set that has vectors for it. */
typedef struct LoopRow {
    const Node *loop;
    const char *form;  /* "map", "row", "column", "transpose tile", "window", "gather", "recurrence", "scalar loops" */
    unsigned sets;     /* 1 << VectorSetId: vectorized for these */
    int rows;          /* of a loop around, done together; 0: that goes one by one */
    int lanes, accumulators;
    Layout layout;
    const char *guards, *stores;
    const char *why;   /* it is not vectorized */
} LoopRow;

/* A loop that has been tried for a set. *vectors: what it has become, NULL: *why says why not. *beside_border: it stands between loops
 * that take its guards. */
typedef struct LoopTrial {
    const Node *loop;
    Node *vectors;
    const char *why;
    VectorSetId set;
    Layout layout;
    int rows; /* as in LoopRow */
    bool half; /* lanes of 64 bits, although nothing is */
    bool beside_border, strict;
} LoopTrial;

/* In NestVectors.table. */
void note_loop(Ir *ir, Vec *table, const LoopTrial *trial);

void print_loop_table(Ir *ir, const HostNest *nest, Text *out);

#endif
