/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What a statement or a call may change, and what the value of a variable or an element depends on. Beside a
 * symbol's own name there are four ways to reach memory; each is a symbol of its own here, so that whatever
 * keeps a table of changes by Sym.id (ranks, versions, marks) treats them like variables, in constant time:
 *
 *     p[i] = x       changes p, and effect_pointer_store if p may point anywhere
 *     g = x          changes g, and effect_named_store if pointers may reach g
 *     f(x)           changes effect_call, unless f is known to have no effect
 *     __syncthreads  changes effect_barrier
 */
#ifndef MIKGEN_IR_EFFECT_H
#define MIKGEN_IR_EFFECT_H

#include "ir/node.h"

#ifdef __cplusplus
extern "C" {
#endif

/* Their ids are below -1: no real symbol has such, and Map takes them. */
extern const Sym effect_pointer_store, effect_named_store, effect_call, effect_barrier;

/* The scalar may change, or be looked at, other than by its own name in the function. */
bool is_shared(const Sym *scalar);

/* A call that may change memory, may not return, or gives another value each time. */
bool is_impure_call(const Node *e);

/* Calls `change` for everything that node `n` itself may change, its kids not counted (but what an opaque text
 * names). `n` may be a statement or an expression. */
typedef void Change(void *user, const Sym *what);
void own_effects(const Node *n, Change *change, void *user);

/* Everything that reading `sym` depends on, itself first: fills `sources`, returns how many. */
enum { MOST_SOURCES = 5 };
int value_sources(const Sym *sym, const Sym *sources[MOST_SOURCES]);

#ifdef __cplusplus
}
#endif

#endif
