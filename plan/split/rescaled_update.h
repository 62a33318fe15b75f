/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Iterations that keep sums relative to a running maximum, as online normalisation does (Milakov and Gimelshein, 2018).
 *
 *     new = fmaxf(m, s);
 *     sum = sum * expf(m - new) + expf(s - new) * w;         likewise any number of scalars, and of elements of arrays
 *     m = new;
 *
 * What an iteration does is followed symbolically, once where the maximum stays and once where it moves, and compared as sums of exponentials
 * (exponential_sums.h). So it does not matter which scalars and branches it goes through. */
#ifndef MIKGEN_PLAN_SPLIT_RESCALED_UPDATE_H
#define MIKGEN_PLAN_SPLIT_RESCALED_UPDATE_H

#include "ir/node.h"
#include "ir/sym_map.h"
#include "plan/split/exponential_sums.h"

enum { MOST_RESCALED_LOOPS = 4 };

/* What is rescaled: a scalar, or the elements of an array that loops inside of the iteration go through. */
typedef struct RescaledSum {
    Sym *sym;
    Node *place; /* N_VAR, or N_LOAD in terms of the variables of `loops` */
    Vec loops;   /* N_FOR, outermost first */
    const ExpSum
        *rescaled; /* of an iteration that moves the maximum: the exponent by which it is rescaled, in terms of the maximum and `x`; */
    ExpBase base;
} RescaledSum;

typedef struct Update {
    Ir *ir;
    Node *loop;
    Sym *top;      /* the running maximum, a scalar declared outside */
    Node *before;  /* N_VAR of it */
    Node *x;       /* with which each iteration compares it */
    Node *maximum; /* the maximum of the two, where the spec calls fmax; else NULL */
    bool skips_nan; /* an x that is no number is passed over */
    bool guarded;  /* conditions that have nothing to do with the maximum decide whether an iteration does anything */
    bool nan_first; /* the sums become NaN where the maximum is -INFINITY behind an iteration */
    Map tainted;   /* by symbol id: depends on the running maximum */
    Map declared;  /* by symbol id: declared in the loop's body */
    Map decided; /* by Node.id of N_IF, N_SEL and N_CALL of fmax: the kid that counts where the maximum stays; the node itself: none does */
    Vec sums; /* RescaledSum * */
} Update;

/* Is the loop one of such iterations, whatever else it does? */
bool find_update(Ir *ir, Node *loop, Update *out);
/* Has the statement or expression to do with the running maximum? */
bool is_of_update(const Update *u, Node *n);
/* Is the sum, by its values behind an iteration that leaves the maximum and one that moves it, rescaled? Sets s->rescaled.
 * plan/split/rescaled_terms.c */
bool is_rescaled(const Update *u, RescaledSum *s, Node *staying, Node *moving);
/* Has the value an exponential from which a maximum of -INFINITY is taken off? */
bool becomes_nan(const Update *u, Node *value);
/* -INFINITY. */
bool is_minus_infinity(const Node *e);

#endif
