/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The only code that knows how to go through a node's children. */
#ifndef MIKGEN_IR_WALK_H
#define MIKGEN_IR_WALK_H

#include "ir/node.h"
#include "ir/sym_map.h"

#ifdef __cplusplus
extern "C" {
#endif

/* Pre- and post-order visit of `n` and everything below it, kids in order. `pre` returning false skips
 * the kids (post is not called then). Either may be NULL. */
typedef struct Walker {
    bool (*pre)(void *user, Node *n);
    void (*post)(void *user, Node *n);
    void *user;
} Walker;
void walk(const Walker *walker, Node *n);

/* Does a test hold of `n`, or of a node below it? It is asked in the order of walk(), until it says yes. */
typedef bool NodeTest(void *user, Node *n);
bool any_node(Node *n, NodeTest *test, void *user);
bool any_stmt(Node *n, NodeTest *test, void *user); /* of statements alone */

/* Bottom-up rewriting: `post` sees every node with its kids already rewritten and returns what replaces it
 * (the node itself to keep it; NULL to delete a statement from its block). `pre`, if given, may replace a
 * node before its kids are looked at, and returns NULL to mean "go on as usual". Returns `n` itself when
 * nothing changed. */
typedef struct Rewriter {
    Ir *ir;
    Node *(*pre)(void *user, Node *n);
    Node *(*post)(void *user, Node *n);
    void *user;
} Rewriter;
Node *rewrite(const Rewriter *rewriter, Node *n);

/* `n` with every use, assignment and declaration of symbol `from` turned into `to` (scalars, loops, arrays). */
Node *rename_sym(Ir *ir, Node *n, Sym *from, Sym *to);
/* A copy whose declarations are of symbols of their own. */
Node *copy_with_own_symbols(Ir *ir, Node *n);
/* `n` with every N_VAR of `sym` replaced by expression `by` (of the symbol's type). */
Node *substitute(Ir *ir, Node *n, Sym *sym, Node *by);
/* Likewise of many symbols at once: the map gives for the id of each what replaces it, where none is looked for again.
 * `bits`: sym_bit() of all of them. */
Node *substitute_each(Ir *ir, Node *n, const Map *by, uint64_t bits);

/* Questions. */
bool uses_sym(Node *n, const Sym *sym);        /* reads, writes or declares it anywhere below   */
/* Number of the only kid that does; -1: none does, several do, or an expression. */
int only_user(Node *n, const Sym *sym);
bool reads_array(Node *n, const Sym *sym);     /* a load from it; also when sym is NULL: from any */
bool writes_sym(Node *n, const Sym *sym);      /* assigns, stores to, declares or loops over it */
/* Is it the same wherever the region evaluates it: no element, no call, no variable that the region writes? */
bool is_stable_in(Node *region, Node *e);
bool has_kind(Node *n, Kind kind);             /* is or has such a statement             */
bool has_stage(Node *n);                       /* a contraction, or something that is launched */
bool has_unsigned(Node *n);                    /* computes with unsigned integers of 32 bits or more */

#ifdef __cplusplus
}
#endif
#endif
