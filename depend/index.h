/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Arithmetic in T_INDEX, the generator's 64-bit index type, folded as it is built so that `0 + 1 * x` is x.
 * Operands must have type T_INDEX. */
#ifndef MIKGEN_DEPEND_INDEX_H
#define MIKGEN_DEPEND_INDEX_H

#include "ir/node.h"

Node *ix_int(Ir *ir, int64_t value);
Node *ix_add(Ir *ir, Node *a, Node *b);
Node *ix_sub(Ir *ir, Node *a, Node *b);
Node *ix_mul(Ir *ir, Node *a, Node *b);
Node *ix_div(Ir *ir, Node *a, Node *b);
Node *ix_mod(Ir *ir, Node *a, Node *b);
Node *ix_min(Ir *ir, Node *a, Node *b);
Node *ix_max(Ir *ir, Node *a, Node *b);

/* An integer expression as T_INDEX. Where the arithmetic cannot wrap (signed types: overflow would be
 * undefined) or is modulo 2^64, the conversion goes to the leaves: (int64_t)i * N + j. Elsewhere the whole is
 * converted. */
Node *widen(Ir *ir, Node *e);

/* Is the expression this variable, but for conversions that keep an integer's value or bits? */
bool is_converted_var(const Node *e, const Sym *var);

/* May a 64-bit computation replace the arithmetic of this type, as far as its use as an index goes? */
bool computes_as_index(Type type);
/* May the conversion from one integer type to another be dropped below a conversion to T_INDEX? */
bool converts_as_index(Type from, Type to);

#endif
