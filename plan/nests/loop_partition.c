/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Each guard is a sum that must not be negative; its least value over the loops inside says from where on it holds. */
#include "plan/nests/loop_partition.h"

#include "depend/index.h"
#include "depend/loop_range.h"
#include "depend/parallel.h"
#include "ir/walk.h"
#include "plan/nests/loop_utils.h"

enum { MOST_INNER = 8, MOST_GUARDS = 8 };

typedef struct Interior {
    Ir *ir;
    Node *loop;
    Map values;               /* by symbol id: Node *, what a name declared in the body stands for */
    bool *assigned, *declared; /* per symbol id: in the body */
    LoopRange inner[MOST_INNER]; /* of the first loops inside */
    int ninner;
    Node *guard[MOST_GUARDS]; /* comparisons that hold in the interior, */
    bool fails[MOST_GUARDS];  /* or hold nowhere in it */
    int nguards;
    Poly *end;                /* of the loop, or of that of which it is a part */
    Node *from, *to;          /* T_INDEX, bounds that guards set; NULL: none */
    Vec named;                /* N_DECLs of what they are made of */
    Node *condition;          /* under which there is an interior; NULL: always */
} Interior;

/* ---------------------------------------------------------------- the body */

static bool note_body(void *user, Node *n)
{
    Interior *in = user;
    if (n->kind == N_ASSIGN)
        in->assigned[n->sym->id] = true;
    if (n->kind == N_DECL || n->kind == N_FOR)
        in->declared[n->sym->id] = true;
    if (n->kind == N_DECL && n->nkids && type_is_integer(n->sym->type))
        *map_at(in->ir->arena, &in->values, n->sym->id) = n->kid[0];
    if (n->kind == N_FOR && in->ninner < MOST_INNER) /* what others count changes in the loop, and so does a guard that depends on it */
        in->inner[in->ninner++] = range_of_loop(in->ir, n);
    return !is_expr(n);
}

/* Names that get another value stand for themselves. */
static bool drop_assigned(void *user, Node *n)
{
    Interior *in = user;
    if (n->kind == N_ASSIGN)
        *map_at(in->ir->arena, &in->values, n->sym->id) = NULL;
    return !is_expr(n);
}

/* What a guard before it may keep from being computed at all. */
static bool may_trap(const Node *n)
{
    const bool divides = (n->kind == N_DIV || n->kind == N_MOD) && type_is_integer(n->type);
    return divides && !(n->kid[1]->kind == N_INT && n->kid[1]->u.i > 0);
}

static bool is_change(void *user, Node *n)
{
    const Interior *in = user;
    return n->kind == N_LOAD || n->kind == N_CALL || may_trap(n) ||
           (n->kind == N_VAR && (in->declared[n->sym->id] || in->assigned[n->sym->id]));
}

/* May it be another number in the course of the loop, or none? */
static bool changes(const Interior *in, Node *e) { return any_node(e, is_change, (void *)in) || uses_sym(e, in->loop->sym); }

/* ---------------------------------------------------------------- guards */

/* Truncating division as it is, of a number that is not negative, by one that is positive; else 0. */
static Node *quotient(Interior *in, Node *dividend, Node *divisor, int64_t plus)
{
    Ir *ir = in->ir;
    dividend = name_index(ir, &in->named, "reach", dividend);
    Node *whole = ix_add(ir, is_int(divisor, 1) ? dividend : ix_div(ir, dividend, divisor), ix_int(ir, plus));
    Node *fits = mk_binary(ir, N_GE, dividend, ix_int(ir, 0));
    if (divisor->kind != N_INT)
        fits = mk_binary(ir, N_LAND, mk_binary(ir, N_GT, divisor, ix_int(ir, 0)), fits);
    return name_index(ir, &in->named, "limit", mk_select(ir, fits, whole, ix_int(ir, 0)));
}

/* A symbol, or a product of some, that is known to be worth taking for positive. */
static bool is_negated(const Poly *p) { return p->nterms == 1 && (int64_t)p->terms[0].coef < 0; }

static Node *later(Ir *ir, Node *a, Node *b) { return a ? ix_max(ir, a, b) : b; }
static Node *earlier(Ir *ir, Node *a, Node *b) { return a ? ix_min(ir, a, b) : b; }

/* sum >= 0 in all of the interior. False: it has another form. */
static bool add_bound(Interior *in, Poly *sum)
{
    Ir *ir = in->ir;
    Sym *var = in->loop->sym;
    Poly *low = extreme_over(ir, NULL, sum, in->inner, in->ninner, false), *coef, *rest;
    if (!low || !poly_affine(ir, low, &var, 1, &coef, &rest) || coef->nterms != 1)
        return false;
    const bool falls = is_negated(coef);
    Node *by = poly_node(ir, falls ? poly_sub(ir, poly_int(ir, 0), coef) : coef), *limit;
    if (changes(in, by) || changes(in, poly_node(ir, rest)))
        return false;
    if (falls) /* rest - by * var >= 0 */
        in->to = earlier(ir, in->to, quotient(in, poly_node(ir, rest), by, 1));
    else { /* by * var >= -rest, rounded up */
        limit = poly_node(ir, poly_sub(ir, poly_sub(ir, poly_of(ir, by), poly_int(ir, 1)), rest));
        in->from = later(ir, in->from, quotient(in, limit, by, 0));
    }
    if (by->kind != N_INT) {
        Node *positive = mk_binary(ir, N_GT, by, ix_int(ir, 0));
        in->condition = in->condition ? mk_binary(ir, N_LAND, in->condition, positive) : positive;
    }
    return true;
}

/* Its number; -1: it is none. */
static int find_guard(const Interior *in, const Node *cond)
{
    for (int i = 0; i < in->nguards; i++)
        if (in->guard[i] == cond)
            return i;
    return -1;
}

static bool fails(const Interior *in, const Node *cond) { return find_guard(in, cond) >= 0 && in->fails[find_guard(in, cond)]; }
static bool holds(const Interior *in, const Node *cond) { return find_guard(in, cond) >= 0 && !in->fails[find_guard(in, cond)]; }

/* The condition, which does not fail, without guards; NULL: it holds. */
static Node *unguarded(const Interior *in, Node *cond)
{
    if (holds(in, cond))
        return NULL;
    if (cond->kind != N_LAND)
        return cond;
    Node *a = unguarded(in, cond->kid[0]), *b = unguarded(in, cond->kid[1]);
    return a && b ? (a == cond->kid[0] && b == cond->kid[1] ? cond : mk_binary(in->ir, N_LAND, a, b)) : a ? a : b;
}

static Node *drop_guards(void *user, Node *n)
{
    const Interior *in = user;
    if (n->kind != N_IF && n->kind != N_SEL)
        return n;
    if (fails(in, n->kid[0]))
        return n->nkids > 2 ? n->kid[2] : mk_block(in->ir, 0, NULL, n->loc);
    Node *cond = unguarded(in, n->kid[0]);
    if (!cond)
        return n->kid[1];
    Node *kids[] = {cond, n->kid[1], n->nkids > 2 ? n->kid[2] : NULL};
    return cond == n->kid[0] ? n : with_kids(in->ir, n, n->nkids, kids);
}

/* In terms of what names stand for in the interior. */
static void resolve_names(Interior *in)
{
    for (int id = 0; id < in->ir->nsyms; id++) {
        Node *value = map_get(&in->values, id);
        if (value)
            *map_at(in->ir->arena, &in->values, id) = rewrite(&(Rewriter){.ir = in->ir, .post = drop_guards, .user = in}, value);
    }
}

/* May the sum be 0 or more in no more than a known number of the first iterations, or of the last ones? */
static bool is_of_border(const Interior *in, Poly *sum)
{
    Sym *var = in->loop->sym;
    int64_t known;
    Poly *high = extreme_over(in->ir, NULL, sum, in->inner, in->ninner, true), *coef, *rest;
    if (!high || !poly_affine(in->ir, high, &var, 1, &coef, &rest))
        return false;
    return (poly_is(coef, -1) && poly_const(rest, &known)) || (poly_is(coef, 1) && poly_const(poly_add(in->ir, in->end, rest), &known));
}

/* Of integers that are compared as they are, or widened. alone: nothing else decides with it. */
static void add_guard(Interior *in, Node *cond, bool alone)
{
    Ir *ir = in->ir;
    Poly *sum = in->nguards < MOST_GUARDS ? guard_sum(ir, expand_names(ir, &in->values, cond)) : NULL;
    if (!sum || !poly_uses(sum, in->loop->sym))
        return;
    const bool fails = alone && is_of_border(in, sum);
    if (!add_bound(in, fails ? poly_sub(ir, poly_int(ir, -1), sum) : sum))
        return;
    in->fails[in->nguards] = fails;
    in->guard[in->nguards++] = cond;
    resolve_names(in);
}

static void add_guards(Interior *in, Node *cond, bool alone)
{
    if (cond->kind == N_LAND) {
        add_guards(in, cond->kid[0], false);
        add_guards(in, cond->kid[1], false);
        return;
    }
    if (find_guard(in, cond) < 0)
        add_guard(in, cond, alone);
}

/* Not in what decides about whole loops inside, their bounds or an empty one's condition: that is little beside them. */
static bool search_guards(void *user, Node *n)
{
    Interior *in = user;
    if (n->kind == N_IF || n->kind == N_SEL)
        add_guards(in, n->kid[0], true);
    const int first = n->kind == N_FOR ? 2 : n->kind == N_IF && !reads_array(n->kid[0], NULL) ? 1 : 0;
    for (int i = first; i < n->nkids && first > 0; i++)
        walk(&(Walker){.pre = search_guards, .user = in}, n->kid[i]);
    return first == 0;
}

/* ---------------------------------------------------------------- loops */

static Node *range(Ir *ir, Node *loop, Node *lo, Node *hi, Node *body, bool border)
{
    Sym *var = sym_new(ir, S_LOOP, loop->sym->type, loop->sym->name, loop->loc);
    Node *cond = mk_binary(ir, N_LT, mk_var(ir, var), mk_cast(ir, var->type, hi));
    Node *n = mk_for(ir, var, mk_cast(ir, var->type, lo), cond, 1, rename_sym(ir, copy_with_own_symbols(ir, body), loop->sym, var), true,
                     loop->loc);
    n->aux = (uint16_t)(border ? FOR_DECLARES | FOR_PEELED : loop->aux);
    return n;
}

static Node *in_three(Interior *in, const Bounds *b)
{
    Ir *ir = in->ir;
    Vec out = in->named;
    Node *lo = widen(ir, b->lo), *hi = name_index(ir, &out, "all", widen(ir, b->hi));
    Node *start = in->from ? in->from : ix_int(ir, 0); /* limits are never below 0, which loops may be */
    Node *from = ix_min(ir, is_int(lo, 0) ? start : ix_max(ir, lo, start), hi);
    Node *to = in->to ? ix_min(ir, hi, in->to) : hi;
    if (in->condition) {
        from = mk_select(ir, in->condition, from, lo);
        to = mk_select(ir, in->condition, to, lo);
    }
    from = name_index(ir, &out, "inside", from);
    to = name_index(ir, &out, "outside", to);
    to = name_index(ir, &out, "beyond", ix_max(ir, from, to));
    Node *inner = rewrite(&(Rewriter){.ir = ir, .post = drop_guards, .user = in}, in->loop->kid[2]);
    vec_push(ir->arena, &out, range(ir, in->loop, lo, from, in->loop->kid[2], true));
    vec_push(ir->arena, &out, range(ir, in->loop, from, to, inner, false));
    vec_push(ir->arena, &out, range(ir, in->loop, to, hi, in->loop->kid[2], true));
    return mk_block(ir, out.count, (Node **)out.items, in->loop->loc);
}

typedef struct Partition {
    Ir *ir;
    const Map *ends;
} Partition;

static Node *split(void *user, Node *n)
{
    const Partition *p = user;
    Ir *ir = p->ir;
    Bounds b;
    if (n->kind != N_FOR || !(n->aux & FOR_PARALLEL) || !for_bounds(n, &b) || b.step != 1 || b.cmp != N_LT || type_bits(b.var->type) < 32 ||
        !type_is_signed(b.var->type) || !loop_is_parallel(ir, n) || has_parallel_loop(ir, n->kid[2]))
        return n;
    Node *whole = map_get(p->ends, n->sym->id);
    Interior in = {.ir = ir, .loop = n, .end = poly_of(ir, whole ? whole : b.hi)};
    in.assigned = arena_new_array(ir->arena, bool, ir->nsyms + 1);
    in.declared = arena_new_array(ir->arena, bool, ir->nsyms + 1);
    walk(&(Walker){.pre = note_body, .user = &in}, n->kid[2]);
    walk(&(Walker){.pre = drop_assigned, .user = &in}, n->kid[2]);
    walk(&(Walker){.pre = search_guards, .user = &in}, n->kid[2]);
    return in.nguards ? in_three(&in, &b) : n;
}

Node *partition_loops(Ir *ir, const Map *ends, Node *body)
{
    Partition p = {ir, ends};
    return rewrite(&(Rewriter){.ir = ir, .post = split, .user = &p}, body);
}
