/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What a loop does with its symbols, and what of its body differs between iterations: known before anything is made of it. */
#ifndef MIKGEN_PLAN_VECTORS_VECTOR_FACTS_H
#define MIKGEN_PLAN_VECTORS_VECTOR_FACTS_H

#include "ir/node.h"
#include "ir/sym_map.h"

/* What the loop does with a symbol. */
typedef enum VectorFact {
    VARIES = 1,   /* a scalar that differs between iterations, `var` among them */
    ASSIGNED = 2, /* one that gets another value than its first */
    OWN = 4,      /* declared in the body */
    STORED = 8,   /* an array that it stores to */
} VectorFact;

typedef struct LoopFacts {
    Ir *ir;
    Sym *var; /* the loop's */
    Node *body;
    int nsyms;          /* symbols that there were before vectors */
    Map facts;          /* by symbol id below nsyms: a sum of VectorFact */
    Map *known_to_vary; /* by node id: what vector_varies() has found */
} LoopFacts;

/* Of a loop with these reductions (Reduction *). */
LoopFacts vector_facts(Ir *ir, Node *loop, const Vec *reductions);

static inline bool vector_fact(const LoopFacts *f, const Sym *sym, VectorFact fact)
{
    return ((uintptr_t)map_get(&f->facts, sym->id) & fact) != 0;
}

/* Does the loop compute with 64-bit elements? */
bool vector_is_wide(const LoopFacts *facts);

/* Does it differ between iterations? */
bool vector_varies(const LoopFacts *f, Node *e);

#endif
