/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The operands of N_ASSIGN and N_STORE that a pass may rewrite: the subscripts and the right-hand side as it
 * was written, which of `x op= e` is `e` alone. */
#ifndef MIKGEN_IR_ASSIGN_H
#define MIKGEN_IR_ASSIGN_H

#include "ir/node.h"

/* The right-hand side: compound_operand() or the whole value. */
Node *right_operand(const Node *stmt);

/* `stmt` with these subscripts (none for N_ASSIGN) and this right operand, `op=` kept: the element that the
 * value of a compound store reads is the one with the new subscripts. `stmt` itself when nothing differs. */
Node *with_right_operand(Ir *ir, Node *stmt, Node *const *subscripts, Node *right);

#endif
