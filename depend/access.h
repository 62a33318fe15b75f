/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Accesses to arrays below a statement, with the loops and conditions around them, and what these say as linear forms: what the tests of
 * dependences (depend/carry.h, depend/distance.h) put to isl. */
#ifndef MIKGEN_DEPEND_ACCESS_H
#define MIKGEN_DEPEND_ACCESS_H

#include "depend/affine.h"
#include "depend/poly.h"
#include "ir/sym_map.h"

/* Where an access stands: loops and conditions around it, innermost first. */
typedef struct Path {
    const struct Path *outer;
    Node *loop;      /* or NULL: */
    Node *condition; /* holds here, or does not if `negated` */
    bool negated;
} Path;

typedef struct Access {
    Node *node, *stmt;
    const Path *path;
} Access;

typedef struct Accesses {
    Ir *ir;
    Vec all;      /* Access, in the order of the text: to arrays that the region stores to and does not declare */
    Map stored;   /* by symbol id: a statement that stores to the array in the region, */
    Map own;      /* that declares it there, */
    Map varies;   /* that declares it, assigns it or loops over it there, */
    Map assigned; /* or that assigns it or loops over it as a variable declared elsewhere */
    Map defs;     /* by symbol id: the value of a scalar that is declared with it and never assigned */
    bool failed;  /* the region does what the tree does not show */
} Accesses;

/* Owned by the Ir's scratch arena. */
Accesses find_accesses(Ir *ir, Node *region);

/* `e`, evaluated at `path` by one of the two sides, as a linear form; false when it is none. What does not change in the region is a
 * parameter, that both sides share. */
bool access_form(Accesses *s, System *sys, int side, const Path *path, Node *e, Form *form);

/* An expression of the region with what scalars that are never assigned stand for; and the linear form of such a sum. */
Node *access_value(Accesses *s, Node *e);
bool poly_form(Accesses *s, System *sys, int side, const Path *path, const Poly *p, Form *form);
/* Has it one value as long as the region runs? */
bool poly_is_invariant(const Accesses *s, const Poly *p);

/* Are two subscripts remainders by the same divisor that cannot be the same, as (t + 1) % 2 and t % 2 are? t has one value in the region. */
bool remainders_differ(Accesses *s, Node *a, Node *b);

/* The loops' bounds and the conditions around an access as constraints; what has no linear form adds none. */
void add_path(Accesses *s, System *sys, int side, const Path *path);

#endif
