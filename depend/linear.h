/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Arrays of several dimensions as one of elements side by side. */
#ifndef MIKGEN_DEPEND_LINEAR_H
#define MIKGEN_DEPEND_LINEAR_H

#include "ir/node.h"

/* Turn every array access below `body` into one T_INDEX subscript (row-major, 64-bit), replacing array symbols
 * of rank > 1 by rank-1 pointers with unknown extent. `map` remembers replacements (indexed by Sym.id, grown
 * on demand), so that hooks and body of an operator agree. by_strides: offsets as sums, for loops that a C compiler
 * strength-reduces. */
typedef struct LinearMap {
    Sym **flat;
    int size;
} LinearMap;
Node *linearize(Ir *ir, LinearMap *map, Node *body, bool by_strides);
/* The flat symbol of an array, made on demand. */
Sym *linear_sym(Ir *ir, LinearMap *map, Sym *array);
/* The subscript of an element in the flat one, as with by_strides. */
Node *linear_subscript(Ir *ir, const Sym *array, Node *const *sub);
/* Row-major number of elements of an array as T_INDEX: the product of its extents. */
Node *array_elements(Ir *ir, const Sym *array);

#endif
