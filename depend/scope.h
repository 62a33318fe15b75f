/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Gives every scalar the smallest scope its values need, so that C89 code and reused variables look like C99
 * code:
 *
 *     int i, k; float sum;                     for (int i = 0; ...) {
 *     for (i = 0; ...) {                           float sum;
 *         sum = 0;                        =>       sum = 0;
 *         for (k = 0; ...) sum += ...              for (int k = 0; ...) sum += ...
 *     }                                        }
 *     for (i = 0; ...) ...                     for (int i_ = 0; ...) ...
 *
 * Values never change. Scalar parameters that the operator assigns are copied to locals first, so that
 * afterwards a parameter has one value. */
#ifndef MIKGEN_DEPEND_SCOPE_H
#define MIKGEN_DEPEND_SCOPE_H

#include "ir/node.h"
#include "ir/sym_map.h"

/* The operator's body so rewritten. */
Node *narrow_scopes(Ir *ir, const Func *f);

/* By symbol id: a statement that assigns it or loops over it as a variable declared elsewhere. Declarations
 * with an initial value do not count. */
Map find_writes(Ir *ir, Node *body);

/* Without declarations of and assignments to scalars that nothing reads. */
Node *drop_unused(Ir *ir, Node *body);

#endif
