/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Sums wrap around as they did, so their order is free. No other elements are loaded: a vector of twice as many lanes has those of both. */
#include "plan/vectors/product_pairs.h"

#include "depend/index.h"
#include "depend/parallel.h"
#include "depend/poly.h"
#include "ir/branch.h"
#include "ir/simplify.h"
#include "ir/walk.h"

enum { MOST_SUMS = 16, MOST_TERMS = 16 /* of each */, FEWEST_PRODUCTS = 3 };

typedef struct Product {
    Node *load; /* N_VLOAD */
    Node *factor; /* a scalar */
} Product;

typedef struct Sum {
    Sym *acc;
    Product term[MOST_TERMS];
    int count;
    Sym *lanes; /* of one with an even number those of even lanes of it and of the next one, then those of odd ones */
} Sum;

typedef struct Pairing {
    Ir *ir;
    int width; /* lanes of 32 bits */
    Sum sum[MOST_SUMS];
    int count;
} Pairing;

/* ---------------------------------------------------------------- sums */

static Sum *sum_of(Pairing *p, Sym *acc)
{
    for (int i = 0; i < p->count; i++)
        if (p->sum[i].acc == acc)
            return &p->sum[i];
    if (p->count == MOST_SUMS)
        return NULL;
    p->sum[p->count] = (Sum){.acc = acc};
    return &p->sum[p->count++];
}

static bool holds_short(Type type) { return type == T_SHORT || type == T_SCHAR || type == T_UCHAR; }

/* NULL: it is no number that 16 bits with a sign hold. */
static Node *factor_of(Node *e)
{
    Node *scalar = e->kind == N_SPLAT && e->type == type_vector(T_INT, LANES_32) ? e->kid[0] : NULL;
    if (!scalar)
        return NULL;
    if (scalar->kind == N_INT)
        return scalar->u.i >= type_min(T_SHORT) && scalar->u.i <= type_max(T_SHORT) ? scalar : NULL;
    return scalar->kind == N_CAST && scalar->type == T_INT && holds_short((Type)scalar->kid[0]->type) ? scalar : NULL;
}

static Node *load_of(Node *e)
{
    Node *load = e->kind == N_CAST && e->type == type_vector(T_INT, LANES_32) ? e->kid[0] : NULL;
    return load && load->kind == N_VLOAD && load->nkids == 1 && holds_short(load->sym->type) ? load : NULL;
}

static bool add_term(Sum *sum, Node *e)
{
    if (e->kind != N_MUL || sum->count == MOST_TERMS)
        return false;
    const int at = e->kid[0]->kind == N_SPLAT;
    const Product term = {load_of(e->kid[at]), factor_of(e->kid[1 - at])};
    sum->term[sum->count++] = term;
    return term.load && term.factor;
}

/* Adds an expression's terms, if it is the accumulator and products. */
static bool add_terms(Sum *sum, Node *e)
{
    if (e->kind == N_VAR)
        return e->sym == sum->acc;
    if (e->kind != N_ADD)
        return false;
    const int rest = uses_sym(e->kid[0], sum->acc) ? 0 : 1;
    return add_terms(sum, e->kid[rest]) && add_term(sum, e->kid[1 - rest]);
}

static bool find_sums(Pairing *p, Node *n)
{
    if (n->kind == N_BLOCK) {
        for (int i = 0; i < n->nkids; i++)
            if (!find_sums(p, n->kid[i]))
                return false;
        return true;
    }
    if (n->kind == N_DECL)
        return n->sym->is_const && !n->sym->rank && n->sym->type == T_INDEX;
    Sum *sum = n->kind == N_ASSIGN && n->sym->type == type_vector(T_INT, LANES_32) ? sum_of(p, n->sym) : NULL;
    return sum && add_terms(sum, n->kid[0]);
}

static bool is_apart(const Pairing *p, const Node *a, const Node *b, int64_t elements)
{
    Ir *ir = p->ir;
    int64_t apart;
    return a->sym == b->sym && poly_const(poly_sub(ir, poly_of(ir, b->kid[0]), poly_of(ir, a->kid[0])), &apart) && apart == elements;
}

/* Does each second one go along behind the one in front of it? */
static bool are_side_by_side(const Pairing *p)
{
    for (int i = 0; i < p->count; i += 2) {
        const Sum *a = &p->sum[i], *b = a + 1;
        if (i + 1 == p->count || a->count != b->count)
            return false;
        for (int t = 0; t < a->count; t++)
            if (a->term[t].factor != b->term[t].factor || !is_apart(p, a->term[t].load, b->term[t].load, p->width))
                return false;
    }
    return p->count > 0;
}

/* ---------------------------------------------------------------- products */

static Node *two_factors(Ir *ir, Node *first, Node *second)
{
    Node *low = mk_binary(ir, N_AND, mk_cast(ir, T_UINT, first), mk_int(ir, T_UINT, 0xffff));
    Node *high = mk_binary(ir, N_SHL, mk_cast(ir, T_UINT, second), mk_int(ir, T_INT, 16));
    Node *both = is_int(first, 0) ? high : is_int(second, 0) ? low : mk_binary(ir, N_OR, low, high);
    return mk_splat(ir, mk_cast(ir, T_INT, both), LANES_32);
}

/* acc = acc + dot(load, first and second by turns) */
static void add_products(const Pairing *p, Sym *acc, Node *load, int64_t further, Node *factors, Vec *out)
{
    Ir *ir = p->ir;
    Node *at = further ? mk_binary(ir, N_ADD, load->kid[0], ix_int(ir, further)) : load->kid[0];
    Node *lanes = mk_cast(ir, type_vector(T_SHORT, LANES_16), mk_vload(ir, load->sym, at, NULL, LANES_16));
    Node *kids[] = {lanes, factors}, *dot = mk_expr(ir, N_DOT, (Type)acc->type, NULL, 2, kids, load->loc);
    vec_push(ir->arena, out, mk_assign(ir, acc, mk_binary(ir, N_ADD, mk_var(ir, acc), dot), N_NONE, load->loc));
}

static void add_pair(const Pairing *p, const Sum *sum, const Product *term, Node *next, Vec *out)
{
    Node *factors = two_factors(p->ir, term->factor, next);
    add_products(p, sum[0].lanes, term->load, 0, factors, out);
    add_products(p, sum[1].lanes, term->load, 1, factors, out);
}

static void add_single(const Pairing *p, const Sum *sum, const Product *term, Vec *out)
{
    Node *zero = mk_int(p->ir, T_INT, 0);
    add_products(p, sum[0].lanes, term->load, 0, two_factors(p->ir, term->factor, zero), out);
    add_products(p, sum[1].lanes, term->load, 0, two_factors(p->ir, zero, term->factor), out);
}

/* All terms: two that are neighbours together. */
static Node *all_terms(const Pairing *p, Loc loc)
{
    Vec out = {0};
    for (int i = 0; i < p->count; i += 2) {
        const Sum *sum = &p->sum[i];
        for (int t = 0; t < sum->count; t++) {
            const Product *term = &sum->term[t];
            const bool two = t + 1 < sum->count && is_apart(p, term->load, term[1].load, 1);
            if (two)
                add_pair(p, sum, term, term[1].factor, &out);
            else
                add_single(p, sum, term, &out);
            t += two;
        }
    }
    return mk_block(p->ir, out.count, (Node **)out.items, loc);
}

/* ---------------------------------------------------------------- loops */

/* Does each sum have one product, of the next neighbour in each iteration? */
static bool goes_along(const Pairing *p, const Node *loop, const Bounds *b)
{
    if (b->cmp != N_LT || b->step != 1 || !bounds_count(b) || (b->var->type != T_INT && b->var->type != T_INDEX))
        return false;
    for (int i = 0; i < p->count; i++) {
        const Sum *sum = &p->sum[i];
        Poly *coef, *rest;
        Sym *var = loop->sym;
        if (sum->count != 1 || !poly_affine(p->ir, poly_of(p->ir, sum->term[0].load->kid[0]), &var, 1, &coef, &rest) || !poly_is(coef, 1) ||
            uses_sym(poly_node(p->ir, rest), var))
            return false;
    }
    return true;
}

/* Two iterations together, and the last one of an odd number. */
static Node *by_two(const Pairing *p, Node *loop, const Bounds *b)
{
    Ir *ir = p->ir;
    Sym *last = sym_new(ir, S_LOCAL, T_INDEX, "last", loop->loc), *rest = sym_new(ir, S_LOOP, b->var->type, b->var->name, loop->loc);
    Node *lo = mk_cast(ir, T_INDEX, b->lo), *trips = mk_binary(ir, N_SUB, mk_cast(ir, T_INDEX, b->hi), lo), *two = ix_int(ir, 2);
    Node *next = mk_binary(ir, N_ADD, mk_var(ir, b->var), mk_int(ir, b->var->type, 1));
    Vec pairs = {0}, singles = {0}, all = {0};
    last->is_const = true;
    for (int i = 0; i < p->count; i += 2) {
        const Product *term = &p->sum[i].term[0];
        add_pair(p, &p->sum[i], term, substitute(ir, term->factor, b->var, next), &pairs);
        add_single(p, &p->sum[i], term, &singles);
    }
    Node *whole = mk_binary(ir, N_ADD, lo, mk_binary(ir, N_MUL, mk_binary(ir, N_DIV, trips, two), two));
    Node *in_pairs = mk_binary(ir, N_LT, mk_cast(ir, T_INDEX, mk_var(ir, b->var)), mk_var(ir, last));
    Node *single = rename_sym(ir, mk_block(ir, singles.count, (Node **)singles.items, loop->loc), b->var, rest);
    whole = simplify(ir, whole);
    vec_push(ir->arena, &all, mk_decl(ir, last, whole, loop->loc));
    vec_push(ir->arena, &all,
             mk_for(ir, b->var, b->lo, in_pairs, 2, mk_block(ir, pairs.count, (Node **)pairs.items, loop->loc), true, loop->loc));
    if (whole->kind != N_INT || b->hi->kind != N_INT || whole->u.i < b->hi->u.i)
        vec_push(ir->arena, &all,
                 mk_for(ir, rest, mk_cast(ir, b->var->type, mk_var(ir, last)), rename_sym(ir, loop->kid[1], b->var, rest), 1, single, true,
                        loop->loc));
    return mk_block(ir, all.count, (Node **)all.items, loop->loc);
}

static void declare_lanes(Pairing *p, Vec *out)
{
    Ir *ir = p->ir;
    const Type type = type_vector(T_INT, LANES_32);
    for (int i = 0; i < p->count; i++) {
        const Sym *acc = p->sum[i].acc;
        p->sum[i].lanes = sym_new(ir, S_LOCAL, type, arena_printf(ir->arena, "%s_%s", acc->name, i % 2 ? "odd" : "even"), acc->loc);
        vec_push(ir->arena, out, mk_decl(ir, p->sum[i].lanes, mk_splat(ir, mk_int(ir, T_INT, 0), LANES_32), acc->loc));
    }
}

static void add_lanes(const Pairing *p, Vec *out)
{
    Ir *ir = p->ir;
    for (int i = 0; i < p->count; i++) {
        const Sum *sum = &p->sum[i], *first = &p->sum[i - i % 2];
        Node *kids[] = {mk_var(ir, first[0].lanes), mk_var(ir, first[1].lanes)};
        Node *zip = mk_pairwise(ir, i % 2 ? PAIR_HIGH : PAIR_LOW, (Type)sum->acc->type, 2, kids);
        vec_push(ir->arena, out, mk_assign(ir, sum->acc, mk_binary(ir, N_ADD, mk_var(ir, sum->acc), zip), N_NONE, sum->acc->loc));
    }
}

/* The last statement of a loop's body if all in front of it are names, and it is a loop; else the body. */
static Node *inner_of(Node *body)
{
    Node *last = body->kind == N_BLOCK && body->nkids ? body->kid[body->nkids - 1] : NULL;
    if (!last || last->kind != N_FOR)
        return body;
    for (int i = 0; i < body->nkids - 1; i++)
        if (body->kid[i]->kind != N_DECL || body->kid[i]->sym->rank || !body->kid[i]->sym->is_const)
            return body;
    return last;
}

static int64_t least_trips(Ir *ir, Node *loop)
{
    const Node *count = trip_count(ir, loop);
    return count && count->kind == N_INT ? count->u.i : FEWEST_PRODUCTS;
}

/* A loop, or loops around one, that only add such products; NULL: it is no such. `out`: declarations that stand in front. */
static Node *paired(Pairing *p, Node *loop, int64_t trips, Vec *out)
{
    Ir *ir = p->ir;
    Bounds b;
    Node *body = loop->kid[2], *inner = inner_of(body);
    trips *= least_trips(ir, loop);
    if (inner->kind == N_FOR) {
        inner = paired(p, inner, trips, out);
        Node **kids = arena_new_array(ir->arena, Node *, body->nkids + 1);
        for (int i = 0; i < body->nkids; i++)
            kids[i] = body->kid[i];
        if (inner && body->kind == N_BLOCK)
            kids[body->nkids - 1] = inner;
        Node *parts[] = {loop->kid[0], loop->kid[1], body->kind == N_BLOCK ? mk_block(ir, body->nkids, kids, body->loc) : inner};
        return inner ? with_kids(ir, loop, 3, parts) : NULL;
    }
    if (!find_sums(p, body) || !are_side_by_side(p) || trips * p->sum[0].count < FEWEST_PRODUCTS || !for_bounds(loop, &b))
        return NULL;
    declare_lanes(p, out);
    const bool plain = !has_kind(body, N_DECL);
    if (plain && goes_along(p, loop, &b))
        return by_two(p, loop, &b);
    if (p->sum[0].count < 2)
        return NULL;
    Node *parts[] = {loop->kid[0], loop->kid[1], all_terms(p, loop->loc)};
    return plain ? with_kids(ir, loop, 3, parts) : NULL;
}

static Node *pair_loop(void *user, Node *n)
{
    const Pairing *of = user;
    Pairing p = {.ir = of->ir, .width = of->width};
    Vec all = {0};
    Node *loop = n->kind == N_FOR && n->aux & FOR_DECLARES ? paired(&p, n, 1, &all) : NULL;
    if (!loop)
        return NULL;
    vec_push(p.ir->arena, &all, loop);
    add_lanes(&p, &all);
    return mk_block(p.ir, all.count, (Node **)all.items, n->loc);
}

Node *pair_products(Ir *ir, Node *body, VectorSetId set)
{
    const VectorSet *of = &vector_sets[set];
    Pairing p = {.ir = ir, .width = vector_lanes(of, type_vector(T_INT, LANES_32))};
    return of->masks ? rewrite(&(Rewriter){.ir = ir, .pre = pair_loop, .user = &p}, body) : body;
}
