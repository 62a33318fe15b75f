/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Statement lists in which neighbouring `if`s merge as they are added, and the merging of nested `if`s. Used by
 * normalize, and by licm where moving makes new neighbours. With LICM_HALIDE nothing merges.
 *
 *     if (c) S1 else E1; if (c) S2    ->   if (c) { S1; S2 } else E1     unless S1 or E1 may change c, or c has
 * effects if (a) { if (b) S }             ->   if (a && b) S
 */
#ifndef MIKGEN_IR_BRANCH_H
#define MIKGEN_IR_BRANCH_H

#include "ir/facts.h"

typedef struct Stmts Stmts;

/* `merge`: neighbouring `if`s merge. */
Stmts *stmts_new(Facts *facts, bool merge);
/* Linear in `stmt` at worst, so that runs of any length merge in linear time. */
void stmts_add(Stmts *list, Node *stmt);
/* The list as a block: `original` itself if it has the very same statements. NULL for a new block. */
Node *stmts_block(Stmts *list, Node *original);
/* The list as the body of a loop or branch that was `original`: a single statement stays without a block. */
Node *stmts_body(Stmts *list, Node *original);

/* `original`, an N_IF, with these parts; `otherwise` may be NULL. */
Node *if_statement(Facts *facts, Node *original, Node *cond, Node *then, Node *otherwise);

/* The only statement in `body`, through blocks of one statement; `body` itself otherwise. */
Node *only_statement(Node *body);

/* The loop that is all of the statement; NULL: it is none. */
Node *only_loop(Node *n);

#endif
