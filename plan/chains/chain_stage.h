/* Statements that are about to become a chain (plan/chains/chains.h): what each is by rows. */
#ifndef MIKGEN_PLAN_CHAINS_CHAIN_STAGE_H
#define MIKGEN_PLAN_CHAINS_CHAIN_STAGE_H

#include "plan/plan.h"

enum { CHAIN_STAGES = 16 };

typedef struct ChainRun {
    Ir *ir;
    Plan *plan;
    bool has_outer;  /* rows are those of the second loop, in each iteration of the first */
    Sym *around;     /* stands for the first loop's variable in `loop`; NULL: there is no stage yet */
    Node *outer;     /* T_INDEX: its iterations */
    ChainStage stage[CHAIN_STAGES];
    Node *loop[CHAIN_STAGES]; /* that stands for it in tests of dependences: its variable is the row */
    int n;
} ChainRun;

/* Adds the statement, with no rows beyond a block's; false: it is no stage, and nothing is changed. */
bool chain_enter(ChainRun *run, Node *statement);

#endif
