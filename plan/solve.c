/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Brings a comparison into the form coefficient * variable < rest, and divides without an overflow. */
#include "plan/solve.h"

#include <stdlib.h>

#include "depend/index.h"
#include "ir/range.h"
#include "ir/walk.h"

typedef struct Solver {
    Ir *ir;
    Ranges *ranges;
    Sym *var;
    bool down;      /* the loop's step is negative                         */
    int64_t coef;   /* of the variable, on the left with all that uses it  */
    int64_t sign;   /* of coef; 0: coef is being found, nothing else is    */
    Node *bound;    /* what is on the right in the end, in 64 bits         */
} Solver;

/* ---------------------------------------------------------------- values */

/* The interval of 64-bit arithmetic; false if it might overflow. */
static bool fits(Ranges *ranges, Node *e, Range *out)
{
    Range a, b;
    bool arithmetic = e->type == T_INDEX && (e->kind == N_ADD || e->kind == N_SUB || e->kind == N_MUL);
    if (!arithmetic) {
        *out = range_of(ranges, e);
        return true;
    }
    if (!fits(ranges, e->kid[0], &a) || !fits(ranges, e->kid[1], &b))
        return false;
    if (e->kind == N_ADD) {
        *out = (Range){a.lo + b.lo, a.hi + b.hi};
    } else if (e->kind == N_SUB) {
        *out = (Range){a.lo - b.hi, a.hi - b.lo};
    } else {
        Wide corner[] = {a.lo * b.lo, a.lo * b.hi, a.hi * b.lo, a.hi * b.hi};
        *out = (Range){corner[0], corner[0]};
        for (int i = 1; i < 4; i++) {
            out->lo = corner[i] < out->lo ? corner[i] : out->lo;
            out->hi = corner[i] > out->hi ? corner[i] : out->hi;
        }
    }
    return range_within(*out, type_range(T_INDEX));
}

/* 64-bit arithmetic done in `type`; NULL if that might overflow, or has parts of another type. */
static Node *narrowed(const Solver *s, Node *e, Type type)
{
    Range range;
    if (!fits(s->ranges, e, &range) || !range_within(range, type_range(type)))
        return NULL;
    switch ((Kind)e->kind) {
    case N_INT: return mk_int(s->ir, type, e->u.i);
    case N_CAST: return (Type)e->kid[0]->type == type ? e->kid[0] : NULL;
    case N_ADD:
    case N_SUB:
    case N_MUL:
    case N_DIV:
    case N_MOD:
    case N_MIN:
    case N_MAX: {
        Node *a = narrowed(s, e->kid[0], type), *b = narrowed(s, e->kid[1], type);
        return a && b ? mk_binary(s->ir, (Kind)e->kind, a, b) : NULL;
    }
    default: return NULL;
    }
}

static Node *compared(const Solver *s, Kind cmp, Node *bound)
{
    Node *var = mk_var(s->ir, s->var), *narrow = narrowed(s, bound, s->var->type);
    return narrow ? mk_binary(s->ir, cmp, var, narrow) : mk_binary(s->ir, cmp, mk_cast(s->ir, T_INDEX, var), bound);
}

/* e + k, the constants of a sum taken together. */
static Node *plus(Ir *ir, Node *e, int64_t k)
{
    int64_t all = k;
    bool sum = (e->kind == N_ADD || e->kind == N_SUB) && e->kid[1]->kind == N_INT;
    if (sum && !(e->kind == N_ADD ? __builtin_add_overflow(k, e->kid[1]->u.i, &all) : __builtin_sub_overflow(k, e->kid[1]->u.i, &all)))
        e = e->kid[0];
    else
        all = k;
    return all < 0 && all != INT64_MIN ? ix_sub(ir, e, ix_int(ir, -all)) : ix_add(ir, e, ix_int(ir, all));
}

/* ---------------------------------------------------------------- one comparison */

static void subtract(Solver *s, Node *term, int64_t scale)
{
    bool minus = (scale > 0) == (s->sign > 0);
    Node *scaled = ix_mul(s->ir, widen(s->ir, term), ix_int(s->ir, llabs(scale)));
    if (scaled->kind == N_INT && scaled->u.i != INT64_MIN)
        s->bound = plus(s->ir, s->bound, minus ? -scaled->u.i : scaled->u.i);
    else
        s->bound = minus ? ix_sub(s->ir, s->bound, scaled) : ix_add(s->ir, s->bound, scaled);
}

/* Takes scale * e apart: what the variable is multiplied with, then what the bound becomes when all else is taken over
 * to it. False if that is not exact, as arithmetic that wraps is not. */
static bool collect(Solver *s, Node *e, int64_t scale)
{
    enum { MOST = 1 << 30 };
    Type type = e->type;
    if (!type_is_integer(type) || type_bits(type) > 64)
        return false;
    if (!uses_sym(e, s->var)) {
        if (s->sign)
            subtract(s, e, scale);
        return type_is_signed(type) || type_bits(type) < 64;
    }
    switch ((Kind)e->kind) {
    case N_VAR: s->coef += s->sign ? 0 : scale; return type_is_signed(type) || type_bits(type) < 64;
    case N_CAST: return range_within(range_of(s->ranges, e->kid[0]), type_range(type)) && collect(s, e->kid[0], scale);
    case N_NEG: return type_is_signed(type) && collect(s, e->kid[0], -scale);
    case N_ADD: return type_is_signed(type) && collect(s, e->kid[0], scale) && collect(s, e->kid[1], scale);
    case N_SUB: return type_is_signed(type) && collect(s, e->kid[0], scale) && collect(s, e->kid[1], -scale);
    case N_MUL:
        for (int i = 0; i < 2; i++) {
            const Node *factor = e->kid[i];
            if (factor->kind == N_INT && llabs(factor->u.i) < MOST && llabs(factor->u.i * scale) < MOST)
                return type_is_signed(type) && collect(s, e->kid[1 - i], scale * factor->u.i);
        }
        return false;
    default: return false;
    }
}

static Kind turned_round(Kind cmp) { return cmp == N_LT ? N_GT : cmp == N_LE ? N_GE : cmp == N_GT ? N_LT : cmp == N_GE ? N_LE : cmp; }

/* coef * var cmp bound: C's quotient, corrected where it is on the other side of the exact one. */
static Node *divided(const Solver *s, Kind cmp)
{
    Ir *ir = s->ir;
    Node *by = ix_int(ir, llabs(s->coef)), *zero = ix_int(ir, 0);
    Node *quotient = ix_div(ir, s->bound, by), *rest = ix_mod(ir, s->bound, by);
    bool up = cmp == N_LT || cmp == N_GE;
    if (llabs(s->coef) == 1)
        return s->bound;
    if (rest->kind == N_INT)
        return plus(ir, quotient, up ? rest->u.i > 0 : -(rest->u.i < 0));
    Node *more = mk_cast(ir, T_INDEX, mk_binary(ir, up ? N_GT : N_LT, rest, zero));
    Range range = range_of(s->ranges, s->bound);
    if (range.lo >= 0 && up && range.hi < INT64_MAX - llabs(s->coef))
        return ix_div(ir, plus(ir, s->bound, llabs(s->coef) - 1), by);
    if (range.lo >= 0 && !up)
        return quotient;
    return up ? ix_add(ir, quotient, more) : ix_sub(ir, quotient, more);
}

/* x <= n - 1, which is x < n, or x >= n + 1, which is x > n. */
static bool is_one_off(const Node *cond)
{
    const Node *bound = cond->kind == N_LE || cond->kind == N_GE ? cond->kid[1] : NULL;
    return bound && bound->kind == (cond->kind == N_LE ? N_SUB : N_ADD) && type_is_signed(bound->type) && is_int(bound->kid[1], 1);
}

/* Such a condition as loops are written whose bounds are extents; others stay. */
static Node *strictly(const Solver *s, Node *cond)
{
    return is_one_off(cond) ? mk_binary(s->ir, cond->kind == N_LE ? N_LT : N_GT, cond->kid[0], cond->kid[1]->kid[0]) : cond;
}

static Node *solve_comparison(Solver *s, Node *cond)
{
    Kind cmp = cond->kind, bounded;
    Node *hi;
    Range range;
    if (bound_on(cond, s->var, false, &bounded, &hi) && !uses_sym(hi, s->var))
        return strictly(s, cond);
    if (cmp != N_LT && cmp != N_LE && cmp != N_GT && cmp != N_GE && cmp != N_NE)
        return NULL;
    s->coef = s->sign = 0;
    if (!collect(s, cond->kid[0], 1) || !collect(s, cond->kid[1], -1) || s->coef == 0 || (cmp == N_NE && llabs(s->coef) != 1))
        return NULL;
    s->sign = s->coef > 0 ? 1 : -1;
    s->bound = ix_int(s->ir, 0);
    collect(s, cond->kid[1], -1);
    collect(s, cond->kid[0], 1);
    if (!fits(s->ranges, s->bound, &range))
        return NULL;
    cmp = s->sign > 0 ? cmp : turned_round(cmp);
    Node *bound = divided(s, cmp);
    return fits(s->ranges, bound, &range) ? strictly(s, compared(s, cmp, bound)) : NULL;
}

/* i + c < n, where i starts at no less than 0 and n - c might wrap: i < max(n, c) - c. i + c <= n is i + (c - 1) < n. */
static Node *solve_sum(const Solver *s, const Node *loop, Node *cond)
{
    Node *sum = cond->kid[0], *lo = loop->kid[0];
    if (s->down || (cond->kind != N_LT && cond->kind != N_LE) || sum->kind != N_ADD || sum->kid[1]->kind != N_INT ||
        sum->kid[0]->kind != N_VAR || sum->kid[0]->sym != s->var || uses_sym(cond->kid[1], s->var) || lo->kind != N_INT)
        return NULL;
    Type type = sum->type;
    Node *c = sum->kid[1];
    bool wraps = !type_is_signed(type) && (loop->u.i != 1 || (Wide)lo->u.i + c->u.i > type_range(type).hi);
    if (wraps || lo->u.i < 0 || c->u.i <= 0)
        return NULL;
    if (cond->kind == N_LE)
        c = mk_int(s->ir, type, c->u.i - 1);
    Node *n = mk_binary(s->ir, N_MAX, cond->kid[1], c);
    return mk_binary(s->ir, N_LT, sum->kid[0], mk_binary(s->ir, N_SUB, n, c));
}

/* ---------------------------------------------------------------- several */

/* The bound of a solved condition as one that the variable does not reach, in 64 bits; NULL if that has no room. */
static Node *exclusive(const Solver *s, Node *cond)
{
    Kind cmp;
    Node *hi;
    Range range;
    if (!bound_on(cond, s->var, false, &cmp, &hi) || cmp == N_NE || (s->down ? cmp == N_LT || cmp == N_LE : cmp == N_GT || cmp == N_GE))
        return NULL;
    if (!type_is_signed(hi->type) && type_bits(hi->type) == 64)
        return NULL;
    hi = widen(s->ir, hi);
    if (cmp == N_LE || cmp == N_GE)
        hi = plus(s->ir, hi, cmp == N_LE ? 1 : -1);
    return fits(s->ranges, hi, &range) ? hi : NULL;
}

/* Minima and maxima below `e`. Each is spelled with one of its operands twice, so that few may stand in each other. */
static int choices(const Node *e)
{
    int sum = e->kind == N_MIN || e->kind == N_MAX;
    for (int i = 0; i < e->nkids; i++)
        sum += choices(e->kid[i]);
    return sum;
}

/* Two bounds of one type and with the same comparison: the nearer one. */
static Node *nearer(const Solver *s, Node *a, Node *b)
{
    Kind cmp, other;
    Node *first, *second;
    if (!bound_on(a, s->var, false, &cmp, &first) || !bound_on(b, s->var, false, &other, &second) || cmp != other || cmp == N_NE ||
        first->type != second->type)
        return NULL;
    if (first == second)
        return a;
    Node *bound = mk_binary(s->ir, cmp == N_LT || cmp == N_LE ? N_MIN : N_MAX, first, second);
    return mk_binary(s->ir, cmp, mk_cast(s->ir, bound->type, mk_var(s->ir, s->var)), bound);
}

/* Whether `cond` may be evaluated where it was not before. */
static bool is_safe(const Solver *s, Node *cond)
{
    return !(expr_flags(s->ranges, cond) &
             (EXPR_LOADS | EXPR_TRAPS | EXPR_OVERFLOWS | EXPR_IMPURE | EXPR_CALLS | EXPR_SHARED | EXPR_FLOAT));
}

static Node *solve(Solver *s, const Node *loop, Node *cond)
{
    if (cond->kind != N_LAND) {
        Node *solved = cond->nkids == 2 ? solve_comparison(s, cond) : NULL;
        return solved || cond->nkids != 2 ? solved : solve_sum(s, loop, cond);
    }
    enum { MOST_CHOICES = 4 };
    Node *a = solve(s, loop, cond->kid[0]), *b = solve(s, loop, cond->kid[1]);
    if (!a || !b || choices(a) + choices(b) >= MOST_CHOICES)
        return NULL;
    Node *same = is_safe(s, b) ? nearer(s, a, b) : NULL;
    Node *first = exclusive(s, a), *second = exclusive(s, b);
    if (same || !first || !second || !is_safe(s, second))
        return same;
    return compared(s, s->down ? N_GT : N_LT, s->down ? ix_max(s->ir, first, second) : ix_min(s->ir, first, second));
}

/* ---------------------------------------------------------------- all loops */

static Node *solve_post(void *user, Node *n)
{
    Solver s = *(const Solver *)user;
    Bounds b;
    if (n->kind != N_FOR)
        return n;
    s.var = n->sym;
    s.down = n->u.i < 0;
    Node *cond = for_bounds(n, &b) ? strictly(&s, n->kid[1]) : solve(&s, n, n->kid[1]);
    return cond ? with_kids(s.ir, n, 3, (Node *[]){n->kid[0], cond, n->kid[2]}) : n;
}

static bool is_unsolved(void *user, Node *n)
{
    Bounds b;
    (void)user;
    return n->kind == N_FOR && (!for_bounds(n, &b) || is_one_off(n->kid[1]));
}

Node *solve_conditions(Ir *ir, Node *body)
{
    if (!any_stmt(body, is_unsolved, NULL))
        return body;
    Solver s = {.ir = ir, .ranges = ranges_new(ir, body)};
    Node *solved = rewrite(&(Rewriter){.ir = ir, .post = solve_post, .user = &s}, body);
    arena_reset(ir->scratch);
    return solved;
}
