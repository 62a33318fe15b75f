/* SPDX-License-Identifier: GPL-3.0-or-later */
/* C target: calls whose work takes less than the checks, the choice of instruction sets and the stages around it. They run the spec's loops
 * as they are:
 *
 *     if (N <= 57 && arguments are as usual)
 *         for (n ...) y[n] = x[n] + 1;
 *     else
 *         checks, stages
 */
#ifndef MIKGEN_PLAN_VECTORS_SHORT_CALLS_H
#define MIKGEN_PLAN_VECTORS_SHORT_CALLS_H

#include "depend/linear.h"
#include "plan/plan.h"

/* Integers that decide about a short call lie in 0 .. MOST_OF_SHORT - 1, so that no product of them overflows. */
enum { MOST_OF_SHORT = 4096 };

typedef struct ShortCall {
    Node *body; /* what the spec says; local arrays have constant sizes, and tables one subscript */
    Sym *only; /* the parameter that decides alone, at most so many; NULL: there are several, or none */
    int64_t most;
    Node *when; /* else T_INT over the parameters `limited` */
    Vec limited; /* Sym *: all scalar parameters that decide, or are of the arrays' extents */
} ShortCall;

/* Sets plan->short_call, of plan->source; NULL: nobody knows how long calls take, or the file's interface wants otherwise. After the pass
 * vectors. */
void add_short_call(Ir *ir, Plan *plan, LinearMap *linear);

#endif
