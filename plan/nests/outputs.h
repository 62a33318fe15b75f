/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What loops only write. */
#ifndef MIKGEN_PLAN_NESTS_OUTPUTS_H
#define MIKGEN_PLAN_NESTS_OUTPUTS_H

#include "ir/node.h"

/* The operator's arrays that the loops store to and do not read, Sym *: candidates for non-temporal stores. */
Vec only_stored(Ir *ir, Node *body);

/* Bytes, as a T_DOUBLE over their extents, of these arrays. NULL: there are none. */
Node *stored_bytes(Ir *ir, Node *body);

/* The same of all arrays that the loops touch, of the operator and local ones, whose extents are made of its parameters. */
Node *touched_bytes(Ir *ir, Node *body);

#endif
