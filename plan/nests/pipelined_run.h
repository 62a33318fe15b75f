/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Nests that are about to become a wave (plan/nests/pipelined_nests.h): which may, and how far apart. */
#ifndef MIKGEN_PLAN_NESTS_PIPELINED_RUN_H
#define MIKGEN_PLAN_NESTS_PIPELINED_RUN_H

#include "plan/plan.h"

enum { MOST_STAGES = 16 };

typedef struct WaveInput {
    Ir *ir;
    Plan *plan;
    const PlanOptions *opt;
} WaveInput;

typedef struct Run {
    WaveStage stage[MOST_STAGES];
    Node *loop[MOST_STAGES]; /* that stands for it in tests of dependences: its variable is the row */
    int n;
} Run;

/* The row that all of the loops belong to, a constant: the first subscript of what they store; NULL: there is none. */
Node *constant_row(Node *loops);

/* Fills the entries behind the last, but for how far it stays behind; false: the nest can be no stage. *when: its condition, or NULL. */
bool run_enter(const WaveInput *in, Run *run, Node *launch, Node *when);

/* Sets `behind` and `ahead` of the last of at least two stages; false when it is too far behind, or what is between them is to be whole. */
bool run_follow(const WaveInput *in, Run *run);

/* How far a step of all stages stays behind the one before, whose variable is `step`, and its first row ahead of that's (-1: too far).
 * False: they cannot go together. */
bool run_steps(const WaveInput *in, const Run *run, const Sym *step, int64_t *apart, int64_t *onward);

/* T_DOUBLE: bytes of a row of all arrays; NULL: there are none, or not known. */
Node *run_row_bytes(Ir *ir, const Run *run);

#endif
