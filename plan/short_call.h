/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Calls of little work, which run the spec's loops as they are: which these are, and what they run (plan/vectors/short_calls.h). */
#ifndef MIKGEN_PLAN_SHORT_CALL_H
#define MIKGEN_PLAN_SHORT_CALL_H

#include "ir/node.h"

/* Integers that decide about a short call lie in 0 .. MOST_OF_SHORT - 1, so that no product of them overflows. */
enum { MOST_OF_SHORT = 4096 };

typedef struct ShortCall {
    Node *body; /* what the spec says; local arrays have constant sizes, and tables one subscript */
    Sym *only; /* the parameter that decides alone, at most so many; NULL: there are several, or none */
    int64_t most;
    int64_t all_most; /* where all of `limited` are at most this, `when` holds; 0: nobody knows */
    Node *when; /* else T_INT over the parameters `limited` */
    Vec limited; /* Sym *: all scalar parameters that decide, or are of the arrays' extents */
} ShortCall;

#endif
