/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Compilers unroll loops of a few iterations whole, vectorize the loop around them, shuffle elements that are a few apart, and keep narrow
 * integers in narrow lanes. They do not reorder floating-point sums, and have no vectors for most functions. */
#include "plan/vectors/by_compiler.h"

#include "depend/parallel.h"
#include "depend/reduce.h"
#include "ir/libm.h"
#include "ir/walk.h"

enum { UNROLLED = 8 }; /* iterations of a loop that compilers unroll whole */

static bool search_node(void *user, Node *n)
{
    Node **wanted = user;
    *wanted = *wanted == n ? NULL : *wanted;
    return *wanted != NULL;
}

static bool has_node(Node *in, Node *wanted)
{
    walk(&(Walker){.pre = search_node, .user = &wanted}, in);
    return !wanted;
}

static bool search_access(void *user, Node *n)
{
    Node *before = user;
    return n->kind == N_STORE || (n->kind == N_LOAD && !has_node(before, n));
}

/* Is memory accessed only if something holds? What may trap is not done beforehand. */
static bool guards_access(const Node *n)
{
    const bool guards = n->kind == N_LAND || n->kind == N_LOR || n->kind == N_SEL || n->kind == N_IF;
    for (int i = 1; guards && i < n->nkids; i++)
        if (any_node(n->kid[i], search_access, n->kid[0]))
            return true;
    return false;
}

typedef struct Suiting {
    bool by_lanes; /* there are instructions that round, and that shift each lane by another count */
    bool fits;
} Suiting;

static bool is_constant_short(Ir *ir, Node *loop)
{
    const Node *count = trip_count(ir, loop);
    return count && count->kind == N_INT && count->u.i <= UNROLLED;
}

static bool search_long(void *user, Node *n)
{
    Ir *ir = user;
    return n->kind == N_FOR && !is_constant_short(ir, n);
}

static bool has_long_loop(Ir *ir, Node *body) { return any_stmt(body, search_long, ir); }

/* Iterations that need no order and sum nothing up. */
static bool is_independent(Ir *ir, Node *loop)
{
    Vec found = {0};
    const char *why;
    return loop->aux & FOR_PARALLEL && find_reductions(ir, loop, true, &found, &why) && found.count == 0;
}

static bool search_unsuited(void *user, Node *n)
{
    static const char *const everywhere[] = {"sqrt", "fabs", NULL};
    static const char *const rounding[] = {"rint", "floor", "ceil", "trunc", NULL};
    Suiting *s = user;
    const Type type = n->kind == N_STORE || n->kind == N_LOAD ? n->sym->type : is_expr(n) ? (Type)n->type : T_VOID;
    s->fits = s->fits && !(n->kind == N_CALL && !is_libm_among(n->sym, everywhere) && !(s->by_lanes && is_libm_among(n->sym, rounding))) &&
              !guards_access(n) && !(type == T_BOOL || type == T_HALF || type == T_BF16 || type_is_fp8(type) || type == T_LDOUBLE);
    /* gcc wants a count as wide as what is shifted. */
    s->fits = s->fits && !(s->by_lanes && (n->kind == N_SHL || n->kind == N_SHR) && n->kid[1]->kind != N_INT);
    if (n->kind == N_STORE)
        walk(&(Walker){.pre = search_unsuited, .user = s}, stmt_value(n));
    const bool place = n->kind == N_DECL && n->sym->type == T_INDEX;
    return s->fits && n->kind != N_STORE && n->kind != N_LOAD && !place; /* subscripts are no affair of lanes */
}

bool suits_compilers(Ir *ir, Node *loop, VectorSetId set)
{
    Suiting s = {.by_lanes = set != SET_PORTABLE, .fits = is_independent(ir, loop) && !has_long_loop(ir, loop->kid[2])};
    walk(&(Walker){.pre = search_unsuited, .user = &s}, loop);
    return s.fits;
}
