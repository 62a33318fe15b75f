/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What a statement of a replay does. */
#ifndef MIKGEN_TUNE_NESTS_REPLAY_COUNT_H
#define MIKGEN_TUNE_NESTS_REPLAY_COUNT_H

#include "tune/nests/replay.h"

typedef struct Counter {
    Arena *arena;
    Replay *replay;
    VectorSetId set;
    int path[DUAL_LOOPS + 1]; /* numbers of the loops around, from 0, the nest, on */
    double times;             /* how often the statement is executed */
    Map level;                /* by symbol id: int *, how many loops are around where it changes: the innermost in which it does */
    Map changed;              /* by symbol id: int *, when it last did */
    Map seen;                 /* by node id: Seen * */
    Map masks;                /* by symbol id: double *, how many lanes a mask names */
    int time, statement;
    bool is_new;              /* something of the statement had not been done in this iteration */
} Counter;

ReplayLoop *counter_loop(const Counter *c);
/* It changes here, with so many loops around. */
void note_change(Counter *c, const Sym *sym, int level);

void count_decl(Counter *c, const Node *n);
void count_assign(Counter *c, const Node *n);
void count_store(Counter *c, const Node *n);
void count_row_store(Counter *c, const Node *n);
void count_scatter(Counter *c, const Node *n);
void count_tile(Counter *c, const Node *n);
void count_prefetch(Counter *c, const Node *n);
/* Of a branch, of a loop's bounds. */
void count_condition(Counter *c, const Node *e);

#endif
