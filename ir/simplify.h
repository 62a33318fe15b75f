/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Algebraic simplification that changes no value: integer constants, neutral elements, conversions that do
 * nothing, decided conditions, empty statements.
 *
 *     for (int i = 0; i < 4; i++)                      for (int i = 0; i < 4; i++)
 *         if (0 < 1) { x[i * 1 + 0] = (int)(long)y; }      x[i] = y;
 *     if (0) ...
 *
 * An operation on constants whose result a signed type cannot hold is left alone; unsigned types wrap. Floating
 * arithmetic is never touched: only conversions of literals are carried out. Returns the same pointer when
 * nothing changed, and simplify(simplify(x)) == simplify(x). Linear in the tree. */
#ifndef MIKGEN_IR_SIMPLIFY_H
#define MIKGEN_IR_SIMPLIFY_H

#include "ir/node.h"

/* An expression, a statement, or a function's body. A statement that vanishes becomes an empty block. */
Node *simplify(Ir *ir, Node *n);

#endif
