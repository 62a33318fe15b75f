/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What the innermost loop of a chain of loops, each of them all that the one around it does, adds up: scalars of its own filled in,
 * sums of sums as one. */
#ifndef MIKGEN_PLAN_SPLIT_GATHER_SUMS_H
#define MIKGEN_PLAN_SPLIT_GATHER_SUMS_H

#include "plan/contract/nest.h"

/* In each iteration of the chain: acc += term, or -=. */
typedef struct Sum {
    Node *acc; /* N_VAR of a scalar from outside, or the N_LOAD of an element */
    Node *term;
    bool negative;
    Loc loc;
} Sum;

typedef struct Sums {
    Vec path;  /* Node *: N_FOR, and N_IF without else, outermost first; their bodies mean nothing here */
    Vec sums;  /* Sum * */
    bool flat; /* some of them were sums of sums */
} Sums;

/* Does a loop of the chain change what the expression is worth, or which element it is? */
bool is_moved(const Vec *path, Node *e);

/* False: the loop does anything else. */
bool gather_sums(const NestContext *context, Node *loop, Sums *out);

#endif
