/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Exact covers of a line as integer programs, solved by GLPK (DynaChain, section 3.2, along one side):
 *
 *   max sum score[i] * z[i]   subject to   sum side[i] * z[i] = length,   z[i] >= 0 and integer
 *
 * with score[i] = (worst time per length) * side[i] - time[i]. As every cover has the same length, the most score is
 * the least time. One problem object serves all lengths: only the right-hand side and its bounds change, and each
 * solve starts from the last basis. */
#ifndef MIKGEN_PLAN_KERNELS_ILP_H
#define MIKGEN_PLAN_KERNELS_ILP_H

#include "ir/arena.h"

/* A part of a cover: `side` > 0 long, takes `time` >= 0. */
typedef struct CoverItem {
    int side;
    double time;
} CoverItem;

typedef enum IlpStatus {
    ILP_SOLVED,   /* count[i] of each item: a cover within GLPK's tolerance (1e-7) of the best */
    ILP_NO_COVER, /* no combination of the sides has this length */
    ILP_FAILED,   /* out of time, or a fault of the solver; after a fault every later call fails too */
} IlpStatus;

enum { ILP_TIME_LIMIT = 1000, ILP_MAX_ITEMS = 64 };

typedef struct Ilp Ilp;

/* `time_limit`: milliseconds for each solve, usually ILP_TIME_LIMIT. GLPK's state belongs to the thread: one Ilp at a
 * time. Ended by ilp_free. */
Ilp *ilp_new(Arena *arena, int time_limit);
void ilp_free(Ilp *ilp);

/* Starts programs over 1 <= n <= ILP_MAX_ITEMS items. */
void ilp_items(Ilp *ilp, const CoverItem *items, int n);

/* Solves for one length >= 0; count has room for the n items. */
IlpStatus ilp_solve(Ilp *ilp, int length, int *count);

#endif
