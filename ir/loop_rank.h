/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Rank: the depth of the deepest enclosing loop in which an expression can change (0: in none). An expression
 * is invariant in exactly the loops deeper than its rank.
 *
 * Ranks belong to a position: a pass that walks the statements in order calls ranks_enter and ranks_leave for
 * every loop, and rank_let where a let is declared. A loop's own variable and bound count as inside it. */
#ifndef MIKGEN_IR_LOOP_RANK_H
#define MIKGEN_IR_LOOP_RANK_H

#include "ir/range.h"

typedef struct Ranks Ranks;

/* Collects what every loop of `body` modifies; `ranges` are that body's. Owned by ir's arena. */
Ranks *ranks_new(Ir *ir, Ranges *ranges, Node *body);

/* `loop` is a loop of that body, not a rebuilt one. Constant time per symbol the loop modifies. */
void ranks_enter(Ranks *ranks, const Node *loop);
void ranks_leave(Ranks *ranks);
int ranks_depth(const Ranks *ranks);

/* A number that tells apart the loops of a body: facts that depend on rank stay valid while it is the same. */
int ranks_context(const Ranks *ranks);

/* From here on `sym` has this rank everywhere: a let keeps one value, wherever its declaration ends up. */
void rank_let(Ranks *ranks, const Sym *sym, int rank);

/* What has effects, and a volatile read, has the depth of the position. */
int rank_of(Ranks *ranks, Node *e);
/* The enclosing loop at this depth, > 0, contains no other loop. */
bool rank_is_innermost(const Ranks *ranks, int depth);
/* The depth of the deepest enclosing loop that contains a barrier; 0: none does. */
int barrier_depth(const Ranks *ranks);

/* The symbols (const Sym *) that a loop of the body assigns, stores to or declares, its own variable included,
 * and those of ir/effect.h. */
const Vec *loop_modifies(const Ranks *ranks, const Node *loop);

/* order[] becomes the indices 0 .. n-1 sorted by rank, stable: a counting sort in O(n + deepest rank). */
void rank_sort(Arena *arena, int n, const int *rank, int *order);

#endif
