/* SPDX-License-Identifier: GPL-3.0-or-later */
/* An operand that is one load, perhaps under conditions and zero elsewhere, whose offset and conditions are linear in
 * the loops: an image under its padding. Which loops fold, which conditions always hold and whether the operand can be
 * read in place then depends on the extents alone, and the emitted code finds out at each call. */
#ifndef MIKGEN_PLAN_CONTRACT_GATHER_H
#define MIKGEN_PLAN_CONTRACT_GATHER_H

#include "plan/contract/map.h"

enum { MAX_CONDITIONS = 8 };

/* Iteration t[0], t[1], ... of the contraction's loops reads element base + sum of move[i] * t[i] where every
 * condition's least + sum of along[i] * t[i] is not negative, else the operand is 0. All nodes are T_INDEX. */
typedef struct Gather {
    Sym *array;
    Node *base;  /* the batch loops' variables are left in it as N_VARs */
    Node *placed; /* elements that memory adds, X[token[m]][k], by the variables of batch loops and of rows (columns); NULL: none */
    Node *apart;  /* with `placed`: what these are multiples of, or'ed */
    Node **move; /* per loop of Contraction.dims; batch loops have 0 */
    int nconditions;
    Node *least[MAX_CONDITIONS];
    Node **along[MAX_CONDITIONS]; /* like `move` */
} Gather;

/* The gather of an operand that is not strided, or NULL when it has another form. After the loops are folded. */
Gather *find_gather(const Mapping *m, const Operand *o);

/* The same, of an operand of a ragged batch of the CUDA target, where memory says in which row, or column, the element is; no conditions. */
Gather *find_placed_gather(const Mapping *m, const Operand *o, Role outer);

/* The same of a factor whose elements packing converts. Kernels then get rows of them that are copied before they are converted. */
Gather *find_converted_gather(const Mapping *m, const Operand *o);

/* Does some condition change with loop `dim` of the contraction's? */
bool gather_tells(const Gather *g, int dim);

#endif
