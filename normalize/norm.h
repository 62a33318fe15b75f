/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Inside normalize: the parts of the pass call one another through this. All work at the present position. */
#ifndef MIKGEN_NORMALIZE_NORM_H
#define MIKGEN_NORMALIZE_NORM_H

#include "ir/facts.h"
#include "ir/sym_map.h"

/* What becomes of the expression's value. */
typedef enum Place {
    PLACE_VALUE,
    PLACE_ADDRESS,   /* it goes into a subscript, or into a variable that may */
    PLACE_SUBSCRIPT, /* it is one */
    PLACES
} Place;

typedef struct Norm {
    Facts *facts;
    Map done;   /* by Node.id and place: what an expression became, and in which loop */
    Map copies; /* by Sym.id: the immutable variable (Sym) it is a copy of  */
    Place place;
} Norm;

/* normalize.c: any expression. */
Node *norm_expr(Norm *n, Node *e);

/* normalize.c: an expression of that place. */
Node *norm_at(Norm *n, Place place, Node *e);

/* chain.c: the integer chain whose topmost operation is `e`. */
bool is_sum(const Node *e);
bool is_product(const Node *e); /* any other associative and commutative operation */
Node *norm_sum(Norm *n, Place place, Node *e);
Node *norm_product(Norm *n, Node *e);

/* distribute.c: whether to take `e`, a term of a sum in normal form, for several: `terms` (Term). */
typedef struct Term {
    Node *e;       /* NULL: none */
    bool negative; /* in sums */
} Term;
bool take_apart_product(Norm *n, Node *e, Vec *terms);

/* cond.c: `e` as a condition, only its truth matters; `e`, an N_SEL. */
Node *norm_truth(Norm *n, Node *e);
Node *norm_select(Norm *n, Node *e);

/* stmt.c: a statement that is the body of something. */
Node *norm_body(Norm *n, Node *body);

#endif
