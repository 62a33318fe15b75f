/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Statements that are about to become a chain (plan/chains/chains.h): what each is by rows. */
#ifndef MIKGEN_PLAN_CHAINS_CHAIN_STAGE_H
#define MIKGEN_PLAN_CHAINS_CHAIN_STAGE_H

#include "plan/plan.h"

enum { CHAIN_STAGES = 16, CHAIN_OUTER = 2 };

typedef struct ChainRun {
    Ir *ir;
    Plan *plan;
    int nouter;      /* rows are those of the loop inside so many others */
    Sym *around[CHAIN_OUTER];   /* stand for these loops' variables in `loop`, once there is a stage */
    Node *extent[CHAIN_OUTER];  /* T_INDEX: their iterations */
    ChainStage stage[CHAIN_STAGES];
    Node *loop[CHAIN_STAGES]; /* that stands for it in tests of dependences: its variable is the row */
    int n;
} ChainRun;

/* Adds the statement, with no rows beyond a block's; false: it is no stage, and nothing is changed. */
bool chain_enter(ChainRun *run, Node *statement);

#endif
