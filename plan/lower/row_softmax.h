/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Loops that turn a row of scores into weights:
 *
 *     top = -inf;   for (l) top = max(top, x[l]);
 *     sum = 0;      for (l) { p[l] = exp(x[l] - top); sum += p[l]; }
 *                   for (l) p[l] /= sum;                               or what uses the weights divides
 *
 * whatever the loops are split or merged into, and whichever scalars and arrays hold what is on its way: the loops of one row are
 * followed symbolically, so that what counts is what they compute. */
#ifndef MIKGEN_PLAN_LOWER_ROW_SOFTMAX_H
#define MIKGEN_PLAN_LOWER_ROW_SOFTMAX_H

#include "plan/plan.h"

/* All in terms of the point function's parameters, which number the row, and of `l`, which numbers an element of it. */
typedef struct RowSoftmax {
    Sym *l;
    Node **row;     /* the array of scores has these subscripts, then l */
    Node *argument; /* x: of the exponential, before the maximum is taken off; N_LOADs of the array are the scores */
    Node *keys;     /* T_INDEX: elements of a row */
    Node *least;    /* where the maximum starts */
    bool divided;   /* weights have been divided by their sum */
    Sym *sum;       /* the array that holds the sums, subscripts as `row`; NULL: none does */
    Sym *zeroed;    /* a parameter whose elements are set to 0; NULL: none is */
    Node *zeros;    /* how many in each row */
    Node **zero_at; /* subscripts: those of the row, and of one of these elements, NULL */
} RowSoftmax;

/* Is that what the nest does, from the array of scores to that of weights (which may be the same one), and nothing else? */
bool match_row_softmax(Ir *ir, const DeviceNest *nest, Sym *scores, Sym *weights, RowSoftmax *out);

#endif
