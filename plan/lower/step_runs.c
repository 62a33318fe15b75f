/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Steps are one loop from 0 on. Runs are as long as lines of a panel stay in the first cache, and divide all divisors. */
#include "plan/lower/step_runs.h"

#include "depend/index.h"
#include "ir/walk.h"

enum { LONGEST_RUN = 16, SHORTEST_RUN = 4 };

/* The one loop over steps; NULL: there are several, or it begins elsewhere. */
static const LoopDim *only_steps(const Contraction *c)
{
    const LoopDim *steps = NULL;
    for (int i = 0; i < c->ndims; i++)
        if (c->dims[i].role == R_K) {
            if (steps)
                return NULL;
            steps = &c->dims[i];
        }
    return steps && steps->step == 1 && is_int(steps->lo, 0) ? steps : NULL;
}

/* Is it k / D? D is positive. */
static bool is_quotient(const Node *n, const Sym *var)
{
    return n->kind == N_DIV && is_converted_var(n->kid[0], var) && n->kid[1]->kind == N_INT && n->kid[1]->u.i > 1;
}

typedef struct Divisors {
    const Sym *var;
    int64_t common; /* of all quotients in subscripts; 0: there are none */
} Divisors;

static int64_t greatest_common_divisor(int64_t a, int64_t b) { return b ? greatest_common_divisor(b, a % b) : a; }

static bool note_divisor(void *user, Node *n)
{
    Divisors *d = user;
    if (is_quotient(n, d->var))
        d->common = greatest_common_divisor(d->common, n->kid[1]->u.i);
    return true;
}

static bool find_subscripts(void *user, Node *n)
{
    for (int i = 0; n->kind == N_LOAD && i < n->nkids; i++)
        walk(&(Walker){.pre = note_divisor, .user = user}, n->kid[i]);
    return true;
}

int64_t run_length(const Contraction *c, Node *value)
{
    const LoopDim *steps = only_steps(c);
    Divisors d = {steps ? steps->var : NULL, 0};
    if (!steps)
        return 0;
    walk(&(Walker){.pre = find_subscripts, .user = &d}, value);
    for (int64_t length = LONGEST_RUN; d.common && length >= SHORTEST_RUN; length--)
        if (d.common % length == 0)
            return length;
    return 0;
}

typedef struct Numbering {
    Ir *ir;
    const Sym *var;
    Node *run;
    int64_t length;
} Numbering;

static Node *number_quotient(void *user, Node *n)
{
    const Numbering *r = user;
    if (!is_quotient(n, r->var) || n->kid[1]->u.i % r->length)
        return NULL;
    return mk_cast(r->ir, (Type)n->type, ix_div(r->ir, r->run, ix_int(r->ir, n->kid[1]->u.i / r->length)));
}

Node *value_in_run(Ir *ir, const Contraction *c, Node *value, Node *run)
{
    Numbering numbering = {ir, only_steps(c)->var, run, run_length(c, value)};
    return rewrite(&(Rewriter){.ir = ir, .pre = number_quotient, .user = &numbering}, value);
}
