/* SPDX-License-Identifier: GPL-3.0-or-later */
/* A loop with rescaled sums (rescaled_update.h), on its way to become two (rescaled_sums.h). */
#ifndef MIKGEN_PLAN_SPLIT_RESCALED_LOOP_H
#define MIKGEN_PLAN_SPLIT_RESCALED_LOOP_H

#include "plan/split/rescaled_update.h"

/* A scalar that the second loop takes from the first one: an element of an array for each iteration. */
typedef struct Row {
    Sym *scalar, *array;
} Row;

typedef struct RescaledLoop {
    Ir *ir;
    const Func *func;
    Node *body;        /* the operator's */
    const Vec *around; /* N_FOR: loops around, outermost first */
    const Vec *before; /* statements in front of the loop, in its block */
    Update u;
    Bounds b;
    Node *room;  /* elements of a row, T_INDEX; NULL: nobody knows */
    Map written; /* by symbol id: int *, the last statement of the first loop that sets a scalar, by number */
    Map lets;    /* of these, N_DECL *: both loops have it */
    Map named;   /* by symbol id: Node *, what names in the second loop stand for that have a sum in it */
    Vec rows;    /* Row * */
    Sym *last;   /* the maximum of all as the second loop's statements know it */
    Sym *saved;  /* what the maximum was in front of the loop; NULL: nobody asks */
    int first_update; /* number of the first statement that has to do with the maximum, */
    int at;      /* of the one at hand */
    bool fits;
} RescaledLoop;

/* How many elements a row has that the loop's variable numbers: an expression of parameters, T_INDEX. NULL: that, or whether the variable may
 * be negative, is not known. plan/split/rescaled_rows.c */
Node *row_extent(const RescaledLoop *r);

/* What has to be between the two loops; plan/split/rescaled_start.c: */

/* May the first iteration make sums of zeros NaN? */
bool may_become_nan(const RescaledLoop *r);
/* Declares r->last: the maximum, or NaN where the sums become that. `first`: what the first iteration compares it with. */
Node *declare_last(RescaledLoop *r, Node *first);
/* Sums that are not 0 in front of the loop are rescaled: adds statements, asks for r->saved. */
void rescale_first_values(RescaledLoop *r, Vec *out);

/* May all that has nothing to do with the maximum run before all else? plan/split/rescaled_order.c */
bool order_permits(RescaledLoop *r);

/* plan/split/rescaled_sums.c: */

/* Statements of the loop's body, and of conditions in it that know nothing of the maximum, are numbered: is it one that holds such? */
bool has_numbered(const RescaledLoop *r, Node *n);
/* Is the expression made of what the loop does not change, and of names for such? */
bool is_unchanging(const RescaledLoop *r, Node *e);
/* The maximum of the running one and a value, as the spec has it, as far as anybody can tell. */
Node *greater_of(const RescaledLoop *r, Node *old, Node *x);

#endif
