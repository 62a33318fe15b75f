/* SPDX-License-Identifier: GPL-3.0-or-later */
/* A loop nest seen as: for every point of its outer loops, out[sub] = E(init + sum over its reduction loops of
 * a product). Only the shape is decided here; which loops are m, n or batch, and whether it pays, is
 * plan/contract/map.c's. */
#ifndef MIKGEN_PLAN_CONTRACT_NEST_H
#define MIKGEN_PLAN_CONTRACT_NEST_H

#include "depend/env.h"
#include "depend/loop_range.h"
#include "plan/contract/missed.h"

enum { MAX_LOOPS = 12 };

typedef struct NestLoop {
    Sym *var;
    Node *lo; /* of var's type */
    int64_t step;
    Node *extent;       /* trip count, T_INDEX, never negative */
    Poly *first;        /* lo */
    Poly *least, *most; /* var stays within, inclusive, while the loop runs */
    Poly *trip;         /* equals extent whenever the loop runs at all */
    bool reduction;
} NestLoop;

/* A loop that was taken apart, whole == outer * by + inner with 0 <= inner < by: plan/contract/delinearization.h. */
typedef struct Digits {
    Sym *whole, *outer, *inner;
    Poly *by;
    Poly *most; /* of whole; its least is 0 */
} Digits;

/* A loop over a triangle became one over the square around it: `along` is that loop's variable, `around` the one that its bound changes
 * with. */
typedef struct Square {
    Sym *along, *around;
} Square;

/* All expressions are evaluated: they depend on the nest's loop variables, on the operator's parameters and on
 * scalars declared outside the nest only. */
typedef struct Nest {
    Ir *ir;
    const Func *func;
    NestLoop loop[MAX_LOOPS]; /* outermost first */
    int nloops;
    Digits digits[MAX_LOOPS]; /* in the order in which loops were taken apart */
    int ndigits;
    Sym *acc; /* holds init before and the total after the reduction; the type of the sum */
    Node *init;
    Node *product; /* one term of the sum, of acc's type */
    bool negative; /* terms are subtracted */
    Vec guards;    /* conditions: the term counts only where all hold, tested in this order */
    Square square[2 * MAX_LOOPS]; /* triangles, each of which has left a guard, or a condition of `within`, behind; in their order */
    int nsquares;
    Vec within;    /* conditions: sums and results are of points only where all hold; no loop of the reduction is in them */
    bool copies;   /* the last statement of `after` stores the result to another element of `out`, which nothing else touches */
    Vec before;    /* scalar statements outside the reduction loops that `after` may need, as written */
    Vec after;     /* what happens to acc then, as written */
    Sym *out;      /* the one array written, one element of it per point of the outer loops, but for `copies` */
    Node **sub;
    Node *value; /* what is stored, in terms of acc and of out's old element */
    Env *env;    /* used while matching */
    Missed missed; /* why it is none after all */
} Nest;

/* What surrounds the nest. */
typedef struct NestContext {
    Ir *ir;
    const Func *func;
    Map defs;  /* find_defs() */
    int ndefs; /* symbols made since are beyond */
    Missed *missed; /* why a nest has another form, or is no contraction; NULL: nobody asks */
    Vec rest;       /* variables (Sym *) of loops that stay loops: plan/split/running_sums.h */
    Vec ragged;     /* CUDA: variables (Sym *) of loops that become ragged batches: plan/split/ragged_loops.h */
    bool in_ragged; /* the nest is in one of them: memory may bound it */
} NestContext;

/* NULL when the loop has another form. */
Nest *match_nest(const NestContext *context, Node *loop);

/* Can the division, of integers, not fail in any call that passes the entry point's checks? */
bool division_is_safe(Ir *ir, const Func *func, const Node *division);

/* A condition without conversions of its truth between int and bool, which a local `bool inside = ...` brings. */
Node *bare_condition(Node *e);

/* The statements of a block, or the statement itself, as a list. */
Vec statements(Ir *ir, Node *n);

/* A nest of loops around the store of one element per iteration, nothing else: out[sub] = value. NULL
 * otherwise. */
Nest *match_map(const NestContext *context, Node *loop);

#endif
