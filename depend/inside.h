/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Do subscripts stay inside their arrays, whatever the arguments and the arrays' contents are? Found by isl (depend/affine.h).
 *
 *     for (i = 0; i < n; i++)
 *         y[i] = x[i];                                   they do, of float x[n], y[n]
 *         y[i] = i + by < n ? x[i + by] : 0;             not known: by may be negative
 *         y[i] = x[at[i]];                               not known: at[i] may be anything
 */
#ifndef MIKGEN_DEPEND_INSIDE_H
#define MIKGEN_DEPEND_INSIDE_H

#include "ir/node.h"

/* An N_LOAD or N_STORE in the operator's `body` that is not proven to stay inside its array, and the statement that it stands in; NULL:
 * all are. Extents of array parameters are taken not to be negative, and products of parameters not to overflow. Helpers must have been
 * inlined. */
Node *perhaps_outside(Ir *ir, const Func *f, Node *body, Node **stmt);

#endif
