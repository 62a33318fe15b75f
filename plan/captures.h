/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Scalars of the operator's body that its stages read: captured there, handed over where a stage is called. */
#ifndef MIKGEN_PLAN_CAPTURES_H
#define MIKGEN_PLAN_CAPTURES_H

#include "plan/plan.h"

typedef struct Captures {
    Ir *ir;
    const Sym *without; /* is not captured; may be NULL */
    Vec found;          /* Sym *, each once, in the order of their first use */
} Captures;

/* What an expression or statement reads, NULL: nothing; and what it reads but does not declare. */
void capture_used(Captures *c, Node *n);
void capture_free(Captures *c, Node *n);
void capture_all(Captures *c, Sym *const *syms, int n);

/* They as the kids of an N_LAUNCH, in the Ir's arena. */
Node **handed_over(Ir *ir, const Vec *captured, Loc loc);

#endif
