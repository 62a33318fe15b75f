/* SPDX-License-Identifier: GPL-3.0-or-later */
/* One guarded loop after the other, until none is left in the region: perfectly nested loops and what is in the innermost. */
#include "plan/residue_splitting.h"

#include "depend/env.h"
#include "depend/index.h"
#include "depend/parallel.h"
#include "depend/poly.h"
#include "depend/scope.h"
#include "ir/walk.h"

enum { MOST_NESTED = 8, MOST_LOOPS = 8, MOST_RESIDUES = 8 };

/* A loop that does something only where `by` divides `sum`. */
typedef struct Guarded {
    Node *loop;
    Node *condition; /* that it does */
    Node *by;        /* positive, or a parameter */
    Poly *sum, *rest;
    int sign;        /* the loop's variable is in the sum once, with this sign */
    Node *outer;     /* the loop around it whose variable is in it once, too; NULL: none */
    int outer_sign;
    Node *others;    /* what other loops' variables, multiples of `by`, add to the quotient; NULL: nothing */
    Type type;       /* of all arithmetic with the variables */
} Guarded;

typedef struct Residues {
    Ir *ir;
    bool strict;
    Map defs, writes; /* of the function */
    Node *nested[MOST_NESTED]; /* the region: from the outermost on, perfectly nested */
    int nnested;
    Guarded found;
    Vec divisors; /* that are no constants, of all that was split */
} Residues;

/* ---------------------------------------------------------------- what is divided */

static Node *spelled_out(void *user, Node *n)
{
    const Residues *s = user;
    Node *value = n->kind == N_VAR ? map_get(&s->defs, n->sym->id) : NULL;
    return value ? value : n;
}

/* As a sum of what is no scalar with a single value. */
static Poly *sum_of(Residues *s, Node *e) { return poly_of(s->ir, rewrite(&(Rewriter){.ir = s->ir, .post = spelled_out, .user = s}, e)); }

static bool is_parameter(const Residues *s, const Node *e)
{
    return e->kind == N_VAR && e->sym->kind == S_PARAM && !e->sym->rank && type_is_signed(e->type) && !map_get(&s->writes, e->sym->id);
}

static Node *power_of_two(Ir *ir, Type type, int64_t exponent)
{
    return exponent > 0 && exponent < 31 ? mk_int(ir, type, INT64_C(1) << exponent) : NULL;
}

/* Of e, when its value is 0 exactly where *sum is a multiple: the divisor. NULL: it is no remainder. */
static Node *remainder_of(Residues *s, Node *e, Poly **sum)
{
    if ((e->kind != N_MOD && e->kind != N_AND) || !type_is_signed(e->type) || !type_is_signed(e->kid[0]->type))
        return NULL;
    Node *by = e->kid[1];
    *sum = sum_of(s, e->kid[0]);
    if (e->kind == N_AND)
        return by->kind == N_INT && by->u.i == 1   ? mk_int(s->ir, by->type, 2)
               : by->kind == N_INT && by->u.i == 3 ? mk_int(s->ir, by->type, 4)
                                                   : NULL;
    return (by->kind == N_INT && by->u.i > 1 && by->u.i <= INT32_MAX) || is_parameter(s, by) ? by : NULL;
}

/* Of a condition that a divisor divides a sum. */
static Node *divisor_of(Residues *s, Node *condition, Poly **sum)
{
    if (condition->kind == N_LNOT)
        return remainder_of(s, condition->kid[0], sum);
    if (condition->kind == N_EQ && is_int(condition->kid[1], 0))
        return remainder_of(s, condition->kid[0], sum);
    return NULL;
}

/* ---------------------------------------------------------------- does the loop's all depend on it */

/* Has it the same value all the time that the region runs? */
static bool is_invariant(const Residues *s, Node *e) { return is_stable_in(s->nested[0], e); }

/* The loop counts upward by one from where the region's outermost knows. */
static bool counts_up(const Residues *s, const Node *loop, Bounds *b)
{
    return loop_declares(loop) && for_bounds(loop, b) && bounds_count(b) && b->step == 1 && (b->cmp == N_LT || b->cmp == N_LE) &&
           type_is_signed(b->var->type) && type_bits(b->var->type) >= 32 && is_invariant(s, b->lo);
}

/* The loop of the region over the variable that the sum has once, whose iterations need no order. */
static bool take_outer(Residues *s, Guarded *g, Node *loop, int sign)
{
    Bounds b;
    bool is_nested = false;
    for (int i = 0; i < s->nnested; i++)
        is_nested = is_nested || s->nested[i] == loop;
    if (g->outer || !is_nested || !counts_up(s, loop, &b) || !is_invariant(s, b.hi) ||
        !iterations_are_independent(s->ir, s->nested[0], loop, NULL, 0))
        return false;
    g->outer = loop;
    g->outer_sign = sign;
    g->type = type_bits(loop->sym->type) > type_bits(g->type) ? loop->sym->type : g->type;
    return true;
}

/* a + factor * b; a NULL: 0. */
static Node *sum(Ir *ir, Node *a, int64_t factor, Node *b)
{
    if (factor == 0 || is_int(b, 0))
        return a ? a : mk_int(ir, b->type, 0);
    Node *times = factor == 1 || factor == -1 ? b : mk_binary(ir, N_MUL, mk_int(ir, b->type, factor < 0 ? -factor : factor), b);
    if (!a || is_int(a, 0))
        return factor < 0 ? mk_unary(ir, N_NEG, times) : times;
    return mk_binary(ir, factor < 0 ? N_SUB : N_ADD, a, times);
}

/* The loops whose variables are in a sum. */
typedef struct Loops {
    const Poly *sum;
    Node *loops[MOST_LOOPS]; /* the guarded one first */
    int n;
} Loops;

static bool note_loop(void *user, Node *n)
{
    Loops *in = user;
    if (n->kind == N_FOR && n != in->loops[0] && in->n < MOST_LOOPS && poly_uses(in->sum, n->sym))
        in->loops[in->n++] = n;
    return !is_expr(n);
}

/* Takes the sum apart: the loop's variable, those of loops around, and what does not change. */
static bool take_sum(Residues *s, Guarded *g)
{
    Ir *ir = s->ir;
    Loops in = {.sum = g->sum, .loops = {g->loop}, .n = 1};
    walk(&(Walker){.pre = note_loop, .user = &in}, s->nested[0]);
    Sym *vars[MOST_LOOPS];
    Poly *coef[MOST_LOOPS], *by = poly_of(ir, g->by), *times;
    const int n = in.n;
    int64_t sign, factor;
    for (int i = 0; i < n; i++)
        vars[i] = in.loops[i]->sym;
    if (!poly_affine(ir, g->sum, vars, n, coef, &g->rest) || !poly_const(coef[0], &sign) || (sign != 1 && sign != -1))
        return false;
    g->sign = (int)sign;
    g->type = g->loop->sym->type;
    for (int i = 1; i < n; i++) {
        if (poly_divide(ir, coef[i], by, &times) && poly_const(times, &factor))
            g->others = sum(ir, g->others, factor, mk_cast(ir, g->type, mk_var(ir, vars[i])));
        else if (!poly_const(coef[i], &sign) || (sign != 1 && sign != -1) || !take_outer(s, g, in.loops[i], (int)sign))
            return false;
    }
    return is_invariant(s, poly_node(ir, g->rest));
}

/* Is the condition one that the loop can be split by? */
static bool takes_condition(Residues *s, Node *loop, Node *condition)
{
    if (condition->kind == N_LAND)
        return takes_condition(s, loop, condition->kid[0]) || takes_condition(s, loop, condition->kid[1]);
    Guarded g = {.loop = loop, .condition = condition};
    g.by = divisor_of(s, condition, &g.sum);
    if (!g.by || !take_sum(s, &g) || (g.outer && g.by->kind == N_INT && g.by->u.i > MOST_RESIDUES))
        return false;
    s->found = g;
    return true;
}

/* Of sum += condition ? term : 0, the condition; NULL: it is another statement. That adding 0 makes 0 of -0 is no matter where sums may change
 * their order. */
static Node *condition_of_term(const Residues *s, const Node *n)
{
    const Node *term = (n->kind == N_ASSIGN || n->kind == N_STORE) && n->aux == N_ADD ? compound_operand(n) : NULL;
    while (term && term->kind == N_CAST && type_is_integer(term->type) && type_is_integer(term->kid[0]->type))
        term = term->kid[0];
    if (!term || term->kind != N_SEL)
        return NULL;
    const Node *other = term->kid[2];
    const bool adds_nothing = is_int(other, 0) || (!s->strict && other->kind == N_FLOAT && other->u.f == 0);
    return adds_nothing ? term->kid[0] : NULL;
}

/* What stands in the loop: declarations, then loops and conditions without alternative, one in the other. */
static bool is_guarded(Residues *s, Node *loop)
{
    Bounds b;
    if (!counts_up(s, loop, &b))
        return false;
    for (Node *in = loop_body(loop);;) {
        if (in->kind == N_BLOCK) {
            for (int i = 0; i < in->nkids - 1; i++)
                if (in->kid[i]->kind != N_DECL)
                    return false;
            if (in->nkids == 0)
                return false;
            in = in->kid[in->nkids - 1];
        } else if (in->kind == N_FOR && loop_declares(in)) {
            in = loop_body(in);
        } else if (in->kind == N_IF && !(in->nkids > 2 && in->kid[2])) {
            if (takes_condition(s, loop, in->kid[0]))
                return true;
            in = in->kid[1];
        } else {
            Node *condition = condition_of_term(s, in);
            return condition && takes_condition(s, loop, condition);
        }
    }
}

static bool look_for_loop(void *user, Node *n)
{
    Residues *s = user;
    if (s->found.loop || is_expr(n))
        return false;
    return !(n->kind == N_FOR && is_guarded(s, n));
}

/* ---------------------------------------------------------------- the loops by residues */

/* e modulo by, from 0 to by - 1. */
static Node *residue(Ir *ir, Node *e, Node *by)
{
    Node *r = ix_mod(ir, ix_add(ir, ix_mod(ir, e, by), by), by);
    return by->kind == N_INT ? r : ix_max(ir, r, ix_int(ir, 0)); /* as it is anyway: but ranges do not tell */
}

/* How often a loop from `lo` up runs by steps of `by`. */
static Node *trips(Ir *ir, const Bounds *b, Node *lo, Node *by)
{
    Node *length = ix_add(ir, ix_sub(ir, widen(ir, b->hi), lo), ix_int(ir, b->cmp == N_LE));
    return ix_div(ir, ix_add(ir, length, ix_sub(ir, by, ix_int(ir, 1))), by);
}

/* Of a number from 0 to by - 1; by NULL: from 0 on. */
static Sym *counter(Ir *ir, SymKind kind, const Guarded *g, const char *name, const Node *by)
{
    Sym *sym = sym_new(ir, kind, g->type, name, g->loop->loc);
    sym->has_range = true;
    sym->hi = (by && by->kind == N_INT ? by->u.i : type_max(g->type)) - 1;
    return sym;
}

/* What is made for one guarded loop. */
typedef struct Split {
    Residues *s;
    const Guarded *g;
    Sym *residue, *first, *shift; /* of the outer loop; where the loop begins; what the quotient is where all counters are 0 */
    Sym *outer, *inner; /* counters of the two loops */
    Node *outer_lo, *lo; /* where the two begin by steps of the divisor */
    Node *quotient;
} Split;

/* Conditions that now hold, and quotients that are exact. */
static Node *replace_quotient(void *user, Node *n)
{
    Split *p = user;
    Ir *ir = p->s->ir;
    if (n == p->g->condition)
        return mk_int(ir, n->type, 1);
    if (n->kind == N_LAND && (is_int(n->kid[0], 1) || is_int(n->kid[1], 1)))
        return n->kid[is_int(n->kid[0], 1)];
    if ((n->kind == N_IF || n->kind == N_SEL) && is_int(n->kid[0], 1))
        return n->kid[1];
    const bool shifts = n->kind == N_SHR && n->kid[1]->kind == N_INT;
    if ((n->kind != N_DIV && !shifts) || !type_is_signed(n->type))
        return n;
    Node *by = shifts ? power_of_two(ir, n->type, n->kid[1]->u.i) : n->kid[1];
    if (!by || !poly_equal(poly_of(ir, by), poly_of(ir, p->g->by)))
        return n;
    Poly *sum = sum_of(p->s, n->kid[0]);
    const bool negative = !poly_equal(sum, p->g->sum);
    if (negative && !poly_equal(poly_sub(ir, poly_int(ir, 0), sum), p->g->sum))
        return n;
    return mk_cast(ir, n->type, negative ? mk_unary(ir, N_NEG, p->quotient) : p->quotient);
}

/* The loop by steps of the divisor, from `lo` on. */
static Node *strided(Split *p, Node *n, Sym *count, Node *lo)
{
    Ir *ir = p->s->ir;
    Bounds b;
    for_bounds(n, &b);
    Node *by = mk_cast(ir, p->g->type, p->g->by);
    Node *value = mk_binary(ir, N_ADD, lo, mk_binary(ir, N_MUL, by, mk_var(ir, count)));
    Node *body = substitute(ir, loop_body(n), b.var, mk_cast(ir, b.var->type, value));
    Node *end = mk_cast(ir, count->type, trips(ir, &b, widen(ir, lo), widen(ir, by)));
    Node *loop = mk_for(ir, count, mk_int(ir, count->type, 0), mk_binary(ir, N_LT, mk_var(ir, count), end), 1, body, true, n->loc);
    loop->aux = n->aux;
    return loop;
}

static Node *replace_loops(void *user, Node *n)
{
    Split *p = user;
    if (n->kind == N_FOR && n->sym == p->g->loop->sym)
        return strided(p, n, p->inner, p->lo);
    if (n->kind == N_FOR && p->g->outer && n->sym == p->g->outer->sym)
        return strided(p, n, p->outer, p->outer_lo);
    return n;
}

static Node *split_region(Residues *s, Node *region);

/* Names for it all: where the loops begin, and the quotient. */
static void name_parts(Split *p, const Bounds *inner, const Bounds *outer)
{
    Ir *ir = p->s->ir;
    const Guarded *g = p->g;
    p->inner = counter(ir, S_LOOP, g, inner->var->name, NULL);
    p->first = counter(ir, S_LOCAL, g, "first", g->by);
    p->shift = sym_new(ir, S_LOCAL, g->type, "shift", g->loop->loc);
    p->lo = sum(ir, mk_cast(ir, g->type, inner->lo), 1, mk_var(ir, p->first));
    p->quotient = sum(ir, mk_var(ir, p->shift), g->sign, mk_var(ir, p->inner));
    if (g->others)
        p->quotient = sum(ir, p->quotient, 1, g->others);
    if (!outer)
        return;
    p->residue = counter(ir, S_LOOP, g, "residue", g->by);
    p->outer = counter(ir, S_LOOP, g, outer->var->name, NULL);
    p->outer_lo = sum(ir, mk_cast(ir, g->type, outer->lo), 1, mk_var(ir, p->residue));
    p->quotient = sum(ir, p->quotient, g->outer_sign, mk_var(ir, p->outer));
}

static Node *signed_by(Ir *ir, int sign, Node *e) { return sign > 0 ? e : ix_sub(ir, ix_int(ir, 0), e); }

/* What stands before the region, for one residue: the sum less the loop's variable is `fixed`, and with its first value a multiple. */
static Node *with_names(Split *p, const Bounds *inner, Node *region)
{
    Ir *ir = p->s->ir;
    const Guarded *g = p->g;
    const Loc loc = region->loc;
    Node *fixed = poly_node(ir, g->rest), *by = widen(ir, g->by);
    if (p->residue)
        fixed = ix_add(ir, fixed, signed_by(ir, g->outer_sign, widen(ir, p->outer_lo)));
    Node *first = residue(ir, ix_sub(ir, signed_by(ir, -g->sign, fixed), widen(ir, inner->lo)), by);
    Node *shift = ix_div(ir, ix_add(ir, fixed, signed_by(ir, g->sign, widen(ir, p->lo))), by);
    Node *stmts[] = {mk_decl(ir, p->first, mk_cast(ir, g->type, first), loc), mk_decl(ir, p->shift, mk_cast(ir, g->type, shift), loc),
                     region};
    return mk_block(ir, 3, stmts, loc);
}

static void add_once(Ir *ir, Vec *divisors, Node *by)
{
    for (int i = 0; i < divisors->count; i++)
        if (divisors->items[i] == by)
            return;
    vec_push(ir->arena, divisors, by);
}

static Node *split_by(Residues *s, Node *region, const Guarded *g)
{
    Ir *ir = s->ir;
    Split p = {.s = s, .g = g};
    Bounds inner, outer;
    for_bounds(g->loop, &inner);
    if (g->outer)
        for_bounds(g->outer, &outer);
    if (g->by->kind != N_INT)
        add_once(ir, &s->divisors, g->by);
    name_parts(&p, &inner, g->outer ? &outer : NULL);
    const Rewriter quotients = {.ir = ir, .post = replace_quotient, .user = &p}, loops = {.ir = ir, .post = replace_loops, .user = &p};
    Node *by_steps = rewrite(&loops, rewrite(&quotients, region));
    s->defs = find_defs(ir, by_steps);
    Node *changed = split_region(s, by_steps);
    Node *parts = with_names(&p, &inner, changed);
    if (!p.residue)
        return parts;
    Node *more = mk_binary(ir, N_LT, mk_var(ir, p.residue), mk_cast(ir, g->type, g->by));
    return mk_for(ir, p.residue, mk_int(ir, g->type, 0), more, 1, parts, true, region->loc);
}

/* The statement that the block is. */
static Node *only(Node *block) { return block->kind == N_BLOCK && block->nkids == 1 ? only(block->kid[0]) : block; }

/* The loop and what is in it by residues, as long as there is a loop to split; the loop itself if there is none. */
static Node *split_region(Residues *s, Node *region)
{
    s->nnested = 0;
    for (Node *in = region; s->nnested < MOST_NESTED && in->kind == N_FOR && loop_declares(in); in = only(loop_body(in)))
        s->nested[s->nnested++] = in;
    s->found = (Guarded){0};
    if (s->nnested)
        walk(&(Walker){.pre = look_for_loop, .user = s}, region);
    if (!s->found.loop)
        return region;
    const Guarded *g = arena_new_array(s->ir->arena, Guarded, 1);
    *(Guarded *)g = s->found;
    return split_by(s, region, g);
}

/* The divisors that are no constants are small and positive. */
static Node *are_small(Ir *ir, const Vec *divisors)
{
    Node *all = NULL;
    for (int i = 0; i < divisors->count; i++) {
        Node *by = divisors->items[i];
        Node *positive = mk_binary(ir, N_GT, by, mk_int(ir, by->type, 0)),
             *few = mk_binary(ir, N_LE, by, mk_int(ir, by->type, MOST_RESIDUES));
        Node *small = mk_binary(ir, N_LAND, positive, few);
        all = all ? mk_binary(ir, N_LAND, all, small) : small;
    }
    return all;
}

/* The same with names for the divisors, whose values tell that they are small. */
static Node *with_small_divisors(const Residues *s, Node *split)
{
    Ir *ir = s->ir;
    Vec stmts = {0};
    for (int i = 0; i < s->divisors.count; i++) {
        Node *by = s->divisors.items[i];
        Sym *divisor = sym_new(ir, S_LOCAL, by->type, "divisor", split->loc);
        Node *positive = mk_binary(ir, N_MAX, by, mk_int(ir, by->type, 1));
        Node *small = mk_binary(ir, N_MIN, positive, mk_int(ir, by->type, MOST_RESIDUES));
        vec_push(ir->arena, &stmts, mk_decl(ir, divisor, small, split->loc));
        split = substitute(ir, split, by->sym, mk_var(ir, divisor));
    }
    vec_push(ir->arena, &stmts, split);
    return mk_block(ir, stmts.count, (Node **)stmts.items, split->loc);
}

static Node *mark_rare(void *user, Node *n)
{
    if (n->kind != N_FOR)
        return n;
    Node *loop = mk_for(user, n->sym, n->kid[0], n->kid[1], n->u.i, n->kid[2], true, n->loc);
    loop->aux = (uint16_t)(n->aux | FOR_PEELED);
    return loop;
}

/* The loops as they are, which hardly ever run: not vectorized, and of which nothing is remarked. */
static Node *as_rare(Ir *ir, Node *n)
{
    return rewrite(&(Rewriter){.ir = ir, .post = mark_rare, .user = ir}, copy_with_own_symbols(ir, n));
}

static Node *split_loop(void *user, Node *n)
{
    Residues *s = user;
    if (n->kind != N_FOR)
        return NULL;
    const Map defs = s->defs;
    s->divisors.count = 0;
    Node *split = split_region(s, n);
    s->defs = defs;
    if (split == n)
        return NULL;
    Node *small = are_small(s->ir, &s->divisors);
    return small ? mk_if(s->ir, small, with_small_divisors(s, split), as_rare(s->ir, n), n->loc) : split;
}

Node *split_residues(Ir *ir, Node *body, bool strict)
{
    Residues s = {.ir = ir, .strict = strict, .defs = find_defs(ir, body), .writes = find_writes(ir, body)};
    return rewrite(&(Rewriter){.ir = ir, .pre = split_loop, .user = &s}, body);
}
