/* SPDX-License-Identifier: GPL-3.0-or-later */
/* From the innermost loop outward, each copy with symbols of its own; then local arrays become scalars. */
#include "plan/vectors/full_unrolling.h"

#include <limits.h>

#include "depend/parallel.h"
#include "depend/poly.h"
#include "ir/simplify.h"
#include "ir/branch.h"
#include "ir/sym_map.h"
#include "ir/walk.h"
#include "plan/vectors/store_forwarding.h"

enum {
    FEW_ITERATIONS = 16, /* of a loop that is unrolled, */
    FEW_SUMS = 8,        /* of one that sums up, and stays in vectors */
    MOST_ELEMENTS = 64   /* of an array that becomes scalars */
};

typedef struct Unrolling {
    Ir *ir;
    const Sym *outermost; /* the variable of the loop that is no part of another one, which stays */
    bool sums;            /* only loops without others that have results for one another, */
    bool pairs;           /* or over the members of pairs, and those over such alone */
    Map made;             /* by node id: what was such a loop */
    Map innermost;        /* by symbol id: loops without others */
} Unrolling;

/* ---------------------------------------------------------------- loops */

static Node *copy_of(Ir *ir, Node *body, Sym *var, int64_t at)
{
    return copy_with_own_symbols(ir, substitute(ir, body, var, mk_int(ir, var->type, at)));
}

/* Those of a block, as each copy's names are its own. */
static void add_statements(Ir *ir, Node *n, Vec *out)
{
    if (n->kind != N_BLOCK)
        vec_push(ir->arena, out, n);
    for (int i = 0; n->kind == N_BLOCK && i < n->nkids; i++)
        add_statements(ir, n->kid[i], out);
}

typedef struct PairMember {
    Ir *ir;
    Sym *var;
} PairMember;

/* Elements of 32 bits or more, every second of which a loop around goes along, and the next one of which this loop does. */
static bool is_of_pair(void *user, Node *n)
{
    PairMember *m = user;
    Poly *coef, *rest;
    if (n->kind != N_LOAD || type_bits(n->sym->type) < 32 || n->sym->type == T_LDOUBLE ||
        !poly_affine(m->ir, poly_of(m->ir, n->kid[0]), &m->var, 1, &coef, &rest) || !poly_is(coef, 1))
        return false;
    for (int i = 0; i < rest->nterms; i++) {
        const Node *atom = rest->terms[i].natoms == 1 && rest->terms[i].coef == 2 ? rest->terms[i].atoms[0] : NULL;
        while (atom && atom->kind == N_CAST)
            atom = atom->kid[0];
        if (atom && atom->kind == N_VAR && atom->sym->kind == S_LOOP)
            return true;
    }
    return false;
}

static bool goes_over_pairs(const Unrolling *u, Node *loop)
{
    PairMember member = {u->ir, loop->sym};
    const Node *count = trip_count(u->ir, loop);
    if (!count || !is_int(count, 2) || has_kind(loop->kid[2], N_FOR))
        return false;
    return any_node(loop->kid[2], is_of_pair, &member) || map_get(&u->made, only_statement(loop->kid[2])->id);
}

static Node *unroll(void *user, Node *n)
{
    Unrolling *u = user;
    Bounds b;
    if (n->kind != N_FOR || n->sym == u->outermost || n->aux & FOR_PEELED || !for_bounds(n, &b) || b.lo->kind != N_INT)
        return n;
    if (u->pairs && !goes_over_pairs(u, n))
        return n;
    if (u->sums && (!map_get(&u->innermost, n->sym->id) || loop_is_parallel(u->ir, n)))
        return n;
    const Node *count = trip_count(u->ir, n);
    if (!count || count->kind != N_INT || count->u.i > (u->sums ? FEW_SUMS : FEW_ITERATIONS) || writes_sym(n->kid[2], n->sym))
        return n;
    Vec all = {0};
    for (int64_t i = 0; i < count->u.i; i++)
        add_statements(u->ir, copy_of(u->ir, n->kid[2], n->sym, b.lo->u.i + i * b.step), &all);
    Node *made = mk_block(u->ir, all.count, (Node **)all.items, n->loc);
    *map_at(u->ir->arena, &u->made, made->id) = made;
    return made;
}

/* ---------------------------------------------------------------- arrays */

/* A local array, and its elements as scalars; NULL: some subscript is not known. */
typedef struct Elements {
    Sym *array, **scalar;
    int64_t count;
} Elements;

typedef struct Replacing {
    Ir *ir;
    Map arrays; /* by symbol id: Elements */
} Replacing;

static bool note_array(void *user, Node *n)
{
    Replacing *r = user;
    const Node *size = n->kind == N_DECL && n->sym->rank == 1 && n->nkids == 0 ? n->sym->extent[0] : NULL;
    if (size && size->kind == N_INT && size->u.i <= MOST_ELEMENTS && n->sym->kind == S_LOCAL_ARRAY) {
        Elements *e = arena_alloc(r->ir->arena, sizeof *e);
        *e = (Elements){n->sym, arena_new_array(r->ir->arena, Sym *, (int)size->u.i), size->u.i};
        *map_at(r->ir->arena, &r->arrays, n->sym->id) = e;
    }
    return !is_expr(n);
}

/* The number of the element; -1: it is not known. */
static int64_t element_of(const Elements *e, Node *subscript)
{
    while (subscript->kind == N_CAST)
        subscript = subscript->kid[0];
    return subscript->kind == N_INT && subscript->u.i >= 0 && subscript->u.i < e->count ? subscript->u.i : -1;
}

static bool drop_unknown(void *user, Node *n)
{
    Replacing *r = user;
    const bool accesses = n->kind == N_LOAD || n->kind == N_STORE || n->kind == N_REF;
    const Elements *e = accesses ? map_get(&r->arrays, n->sym->id) : NULL;
    if (e && (n->kind == N_REF || element_of(e, n->kid[0]) < 0))
        *map_at(r->ir->arena, &r->arrays, n->sym->id) = NULL;
    return true;
}

static Sym *scalar_of(const Replacing *r, Elements *e, Node *subscript)
{
    Sym **scalar = &e->scalar[element_of(e, subscript)];
    if (!*scalar) {
        *scalar = sym_new(r->ir, S_LOCAL, e->array->type, e->array->name, e->array->loc);
        (*scalar)->spelling = e->array->spelling;
    }
    return *scalar;
}

static Node *replace(void *user, Node *n)
{
    const Replacing *r = user;
    Elements *e = n->kind == N_LOAD || n->kind == N_STORE ? map_get(&r->arrays, n->sym->id) : NULL;
    if (!e)
        return n;
    Sym *scalar = scalar_of(r, e, n->kid[0]);
    return n->kind == N_LOAD ? mk_var(r->ir, scalar) : mk_assign(r->ir, scalar, stmt_value(n), (Kind)n->aux, n->loc);
}

/* Declarations of an array's scalars in the place of its own. */
static Node *declare(void *user, Node *n)
{
    const Replacing *r = user;
    Vec all = {0};
    if (n->kind != N_BLOCK)
        return n;
    for (int i = 0; i < n->nkids; i++) {
        const Elements *e = n->kid[i]->kind == N_DECL ? map_get(&r->arrays, n->kid[i]->sym->id) : NULL;
        if (!e)
            vec_push(r->ir->arena, &all, n->kid[i]);
        for (int64_t j = 0; e && j < e->count; j++)
            if (e->scalar[j])
                vec_push(r->ir->arena, &all, mk_decl(r->ir, e->scalar[j], NULL, n->kid[i]->loc));
    }
    return mk_block(r->ir, all.count, (Node **)all.items, n->loc);
}

static Node *elements_as_scalars(Ir *ir, Node *body)
{
    Replacing r = {.ir = ir};
    walk(&(Walker){.pre = note_array, .user = &r}, body);
    walk(&(Walker){.pre = drop_unknown, .user = &r}, body);
    body = rewrite(&(Rewriter){.ir = ir, .post = replace, .user = &r}, body);
    return rewrite(&(Rewriter){.ir = ir, .post = declare, .user = &r}, body);
}

/* ---------------------------------------------------------------- constants */

/* A constant's element is a number where its subscript is one. */
static Node *constant_element(void *user, Node *n)
{
    (void)user;
    const ConstantTable *table = n->kind == N_LOAD && n->nkids == 1 ? n->sym->table : NULL;
    const Node *at = table ? n->kid[0] : NULL;
    while (at && at->kind == N_CAST)
        at = at->kid[0];
    return at && at->kind == N_INT && at->u.i >= 0 && at->u.i < table->count ? table->value[at->u.i] : n;
}

static Node *fold_constants(Ir *ir, Node *body) { return rewrite(&(Rewriter){.ir = ir, .post = constant_element}, body); }

/* ---------------------------------------------------------------- */

static bool count_node(void *user, Node *n)
{
    (void)n;
    ++*(int *)user;
    return true;
}

static bool note_innermost(void *user, Node *n)
{
    Unrolling *u = user;
    if (n->kind == N_FOR && !has_kind(n->kid[2], N_FOR))
        *map_at(u->ir->arena, &u->innermost, n->sym->id) = n;
    return !is_expr(n);
}

/* NULL: there is nothing to unroll, or too much. */
static Node *unrolled(Unrolling *u, Node *body, int most)
{
    const Node *whole = only_statement(body);
    u->outermost = whole && whole->kind == N_FOR ? whole->sym : NULL;
    Node *made = rewrite(&(Rewriter){.ir = u->ir, .post = unroll, .user = u}, body);
    int nodes = 0;
    walk(&(Walker){.pre = count_node, .user = &nodes}, made);
    return made == body || nodes > most ? NULL : made;
}

static Node *as_block(Ir *ir, Node *n) { return n->kind == N_BLOCK ? n : mk_block(ir, 1, &n, n->loc); }

Node *unroll_fully(Ir *ir, Node *body, int most)
{
    Unrolling u = {.ir = ir};
    Node *made = unrolled(&u, body, most);
    return made ? as_block(ir, simplify(ir, forward_stores(ir, fold_constants(ir, elements_as_scalars(ir, simplify(ir, made)))))) : body;
}

Node *unroll_sums(Ir *ir, Node *body, int most)
{
    Unrolling u = {.ir = ir, .sums = true};
    walk(&(Walker){.pre = note_innermost, .user = &u}, body);
    Node *made = unrolled(&u, body, most);
    return made ? as_block(ir, simplify(ir, made)) : body;
}

Node *unroll_pairs(Ir *ir, Node *body)
{
    Unrolling u = {.ir = ir, .pairs = true};
    Node *made = unrolled(&u, body, INT_MAX);
    return made ? as_block(ir, simplify(ir, made)) : body;
}
