/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The first constant that a subscript divides the loop's variable by decides. */
#include "plan/nests/quotient_splitting.h"

#include "depend/parallel.h"
#include "depend/poly.h"
#include "ir/walk.h"

enum { MOST_PARTS = 4 };

typedef struct Quotients {
    Ir *ir;
    Sym *var;         /* of the loop, from 0 up */
    int64_t by;       /* 0: not found yet */
    bool narrow, wide; /* elements are stored of fewer than 32 bits, of 32 or more */
    bool refused;     /* something is stored elsewhere than in neighbours */
    Sym *strip, *part; /* var = by * strip + part */
} Quotients;

/* The variable itself, whatever signed or unsigned type holds all of its values. */
static bool is_variable(const Quotients *q, const Node *e)
{
    while (e->kind == N_CAST && type_is_integer(e->type) && type_bits(e->type) >= type_bits(q->var->type))
        e = e->kid[0];
    return e->kind == N_VAR && e->sym == q->var;
}

static int64_t divisor(const Quotients *q, const Node *n, Kind division, Kind by_bits)
{
    const Node *by = n->kind == division || n->kind == by_bits ? n->kid[1] : NULL;
    if (!by || by->kind != N_INT || by->u.i < 0 || by->u.i > MOST_PARTS || !is_variable(q, n->kid[0]))
        return 0;
    return n->kind == division ? by->u.i : by_bits == N_SHR ? INT64_C(1) << by->u.i : by->u.i + 1;
}

/* Of the variable's greatest multiple of a number that is no greater than itself: that number, a power of two; else 0. */
static int64_t multiple_of(const Quotients *q, const Node *n)
{
    const Node *mask = n->kind == N_AND ? n->kid[1] : NULL;
    return mask && mask->kind == N_INT && (mask->u.i == -2 || mask->u.i == -4) && is_variable(q, n->kid[0]) ? -mask->u.i : 0;
}

static bool search_quotient(void *user, Node *n)
{
    Quotients *q = user;
    const int64_t by = divisor(q, n, N_DIV, N_SHR) + multiple_of(q, n);
    q->by = q->by == 0 && by >= 2 && by <= MOST_PARTS ? by : q->by;
    return true;
}

/* Are neighbours along the loop stored, or elements of a few members each? */
static bool stores_neighbours(const Quotients *q, const Node *store)
{
    const int last = store->sym->rank - 1;
    const bool has_members = last > 0 && store->sym->extent[last]->kind == N_INT && !uses_sym(store->kid[last], q->var);
    Poly *coef, *rest;
    return last < 0 || (poly_affine(q->ir, poly_of(q->ir, store->kid[last - has_members]), &q->var, 1, &coef, &rest) && poly_is(coef, 1));
}

/* What is read may have a number that is a quotient. */
static bool search_access(void *user, Node *n)
{
    Quotients *q = user;
    q->refused = q->refused || (n->kind == N_STORE && !stores_neighbours(q, n));
    q->narrow = q->narrow || (n->kind == N_STORE && type_bits(n->sym->type) < 32);
    q->wide = q->wide || (n->kind == N_STORE && type_bits(n->sym->type) >= 32);
    for (int d = 0; n->kind == N_LOAD && d < n->sym->rank; d++)
        walk(&(Walker){.pre = search_quotient, .user = q}, n->kid[d]);
    return !q->refused;
}

static Node *replace_quotient(void *user, Node *n)
{
    const Quotients *q = user;
    if (divisor(q, n, N_DIV, N_SHR) == q->by)
        return mk_cast(q->ir, n->type, mk_var(q->ir, q->strip));
    if (n->kind == N_MOD && divisor(q, n, N_MOD, N_MOD) == q->by)
        return mk_cast(q->ir, n->type, mk_var(q->ir, q->part));
    if (multiple_of(q, n) == q->by)
        return mk_binary(q->ir, N_MUL, mk_int(q->ir, n->type, q->by), mk_cast(q->ir, n->type, mk_var(q->ir, q->strip)));
    return n;
}

static Sym *counter(const Quotients *q, const char *name, int64_t most)
{
    Sym *sym = sym_new(q->ir, S_LOOP, q->var->type, name, q->var->loc);
    sym->has_range = true;
    sym->hi = most;
    return sym;
}

static Node *loop_to(Ir *ir, const Node *like, Sym *sym, Node *end, Node *body)
{
    Node *loop = mk_for(ir, sym, mk_int(ir, sym->type, 0), mk_binary(ir, N_LT, mk_var(ir, sym), end), 1, body, true, like->loc);
    loop->aux = like->aux;
    return loop;
}

/* Iterations behind those of whole strips, of which there are fewer than a strip has. */
static Node *loop_of_rest(const Quotients *q, Node *loop, Node *strips, Node *end)
{
    Ir *ir = q->ir;
    Sym *part = counter(q, "part", q->by - 2);
    Node *by = mk_int(ir, part->type, q->by), *var = mk_binary(ir, N_ADD, mk_binary(ir, N_MUL, by, strips), mk_var(ir, part));
    Node *body = substitute(ir, copy_with_own_symbols(ir, loop->kid[2]), loop->sym, var);
    return loop_to(ir, loop, part, mk_binary(ir, N_MOD, end, by), body);
}

static Node *split(void *user, Node *n)
{
    Ir *ir = user;
    Bounds b;
    const bool counts = n->kind == N_FOR && loop_declares(n) && !has_kind(n->kid[2], N_FOR) && for_bounds(n, &b) && bounds_count(&b) &&
                        b.step == 1 && b.cmp == N_LT && is_int(b.lo, 0) && !writes_sym(n->kid[2], n->sym);
    if (!counts || !type_is_signed(n->sym->type) || type_bits(n->sym->type) < 32 || !has_kind(n->kid[2], N_STORE) ||
        !loop_is_parallel(ir, n))
        return n;
    Quotients q = {.ir = ir, .var = n->sym};
    walk(&(Walker){.pre = search_access, .user = &q}, n->kid[2]);
    if (!q.by || q.refused || (q.narrow && q.wide)) /* compilers have pairs of the former, the vectors here of the latter */
        return n;
    q.strip = counter(&q, n->sym->name, type_max(n->sym->type) / q.by);
    q.part = counter(&q, "part", q.by - 1);
    const Type type = n->sym->type;
    Node *value = mk_binary(ir, N_ADD, mk_binary(ir, N_MUL, mk_int(ir, type, q.by), mk_var(ir, q.strip)), mk_var(ir, q.part));
    Node *body = substitute(ir, rewrite(&(Rewriter){.ir = ir, .post = replace_quotient, .user = &q}, n->kid[2]), n->sym, value);
    Poly *strips;
    const bool whole = poly_divide(ir, poly_of(ir, b.hi), poly_int(ir, q.by), &strips);
    Node *hi = mk_cast(ir, type, b.hi), *by = mk_int(ir, type, q.by);
    Node *end = whole ? mk_cast(ir, type, poly_node(ir, strips)) : mk_binary(ir, N_DIV, hi, by);
    Node *strip = loop_to(ir, n, q.strip, end, loop_to(ir, n, q.part, by, body));
    return whole ? strip : mk_block(ir, 2, (Node *[]){strip, loop_of_rest(&q, n, end, hi)}, n->loc);
}

Node *split_quotients(Ir *ir, Node *nest) { return rewrite(&(Rewriter){.ir = ir, .post = split, .user = ir}, nest); }
