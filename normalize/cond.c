/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Conditions: chains of && and ||, negations, and selects whose arms repeat (condition collapse). */
#include "ir/condition.h"
#include "normalize/norm.h"

/* A condition whose chain is not built yet: its operands, in normal form, LAST FIRST, so that what stands in
 * front of them is appended. A chain is sorted once, when nothing can join it any more. */
typedef struct Cond {
    Kind op; /* N_LAND or N_LOR; N_NONE for a single operand that is neither */
    Vec operands;
} Cond;

/* A select taken apart; `cond.operands.count` is 0 if it turned out to be plain `x`. */
typedef struct Select {
    Cond cond;
    Node *x, *y;
    Node *whole; /* once it has been put together */
} Select;

static bool is_chain(const Node *e) { return e->kind == N_LAND || e->kind == N_LOR; }

static void collect_operands(Norm *n, Kind op, Node *e, Vec *reversed)
{
    e = truth_of(e);
    if ((Kind)e->kind == op) {
        collect_operands(n, op, e->kid[1], reversed);
        collect_operands(n, op, e->kid[0], reversed);
    } else {
        vec_push(n->facts->ir->scratch, reversed, norm_truth(n, e));
    }
}

static Cond take_apart(Norm *n, Node *e)
{
    Cond c = {0};
    e = truth_of(e);
    if (is_chain(e)) {
        c.op = (Kind)e->kind;
        collect_operands(n, c.op, e, &c.operands);
    } else {
        Node *only = norm_truth(n, e);
        c.op = is_chain(only) ? (Kind)only->kind : N_NONE;
        vec_push(n->facts->ir->scratch, &c.operands, only);
    }
    return c;
}

static Node *put_together(Norm *n, const Cond *c)
{
    int count = c->operands.count;
    Node **forward = arena_new_array(n->facts->ir->scratch, Node *, count);
    for (int i = 0; i < count; i++)
        forward[i] = c->operands.items[count - 1 - i];
    return condition_chain(n->facts, c->op == N_NONE ? N_LAND : c->op, count, forward);
}

/* `c` as operands of a chain of `op`; a chain of the other operator becomes one operand. */
static void make_operands(Norm *n, Cond *c, Kind op)
{
    if (c->op != op && c->op != N_NONE) {
        Node *one = put_together(n, c);
        c->operands = (Vec){0};
        vec_push(n->facts->ir->scratch, &c->operands, one);
    }
    c->op = op;
}

static void negate(Norm *n, Cond *c)
{
    Node *contrary = negation(n->facts, put_together(n, c));
    *c = (Cond){.op = is_chain(contrary) ? (Kind)contrary->kind : N_NONE};
    vec_push(n->facts->ir->scratch, &c->operands, contrary);
}

/* first op rest. Linear in `first` alone: nests grow inside out. */
static Cond join(Norm *n, Cond first, Kind op, Cond rest)
{
    make_operands(n, &first, op);
    make_operands(n, &rest, op);
    for (int i = 0; i < first.operands.count; i++)
        vec_push(n->facts->ir->scratch, &rest.operands, first.operands.items[i]);
    return rest;
}

static Node *whole_select(Norm *n, Select *s)
{
    if (!s->whole)
        s->whole = s->cond.operands.count ? mk_select(n->facts->ir, put_together(n, &s->cond), s->x, s->y) : s->x;
    return s->whole;
}

static bool is_select(const Select *s) { return s->cond.operands.count > 0; }

/* Could `other`, not put together yet, equal an arm of `s`? Only then is it worth building. */
static bool may_equal_arm(const Select *s, const Select *other) { return !is_select(other) || s->x->kind == N_SEL || s->y->kind == N_SEL; }

/* Rules C1 to C4 of condition collapse. Number and order of evaluations stay what they were. One look is
 * enough: what a rule leaves as arms, the inner select has already compared. */
static bool collapse_then(Norm *n, Cond a, Select *inner, Select *other, Select *out)
{
    if (!is_select(inner) || !may_equal_arm(inner, other))
        return false;
    Node *y = whole_select(n, other);
    if (inner->y == y) { /* C1: a ? (b ? x : y) : y  ->  (a && b) ? x : y */
        *out = (Select){.cond = join(n, a, N_LAND, inner->cond), .x = inner->x, .y = y};
        return true;
    }
    if (inner->x == y) { /* C2: a ? (b ? y : x) : y  ->  (a && !b) ? x : y */
        negate(n, &inner->cond);
        *out = (Select){.cond = join(n, a, N_LAND, inner->cond), .x = inner->y, .y = y};
        return true;
    }
    return false;
}

static bool collapse_else(Norm *n, Cond a, Select *other, Select *inner, Select *out)
{
    if (!is_select(inner) || !may_equal_arm(inner, other))
        return false;
    Node *x = whole_select(n, other);
    if (inner->x == x) { /* C3: a ? x : (b ? x : y)  ->  (a || b) ? x : y */
        *out = (Select){.cond = join(n, a, N_LOR, inner->cond), .x = x, .y = inner->y};
        return true;
    }
    if (inner->y == x) { /* C4: a ? x : (b ? y : x)  ->  (!a && b) ? y : x */
        negate(n, &a);
        *out = (Select){.cond = join(n, a, N_LAND, inner->cond), .x = inner->x, .y = x};
        return true;
    }
    return false;
}

static bool is_pure(Norm *n, const Cond *c)
{
    for (int i = 0; i < c->operands.count; i++)
        if (expr_flags(n->facts->ranges, c->operands.items[i]) & (n->facts->opt->fp == FP_NONE ? EXPR_IMPURE | EXPR_RAISES : EXPR_IMPURE))
            return false;
    return true;
}

static Select collapse(Norm *n, Node *e)
{
    if (e->kind != N_SEL)
        return (Select){.x = (Node *)there_and_back(norm_expr(n, e))};
    Cond a = take_apart(n, e->kid[0]);
    Select then = collapse(n, e->kid[1]), otherwise = collapse(n, e->kid[2]), out;
    if (collapse_then(n, a, &then, &otherwise, &out) || collapse_else(n, a, &then, &otherwise, &out))
        return out;
    Node *x = whole_select(n, &then), *y = whole_select(n, &otherwise);
    if (x == y && is_pure(n, &a)) /* C0: a ? x : x  ->  x */
        return (Select){.x = x};
    return (Select){.cond = a, .x = x, .y = y};
}

Node *norm_select(Norm *n, Node *e)
{
    Select s = collapse(n, e);
    return whole_select(n, &s);
}

Node *norm_truth(Norm *n, Node *e)
{
    e = truth_of(e);
    if (n->facts->opt->mode != LICM_FULL)
        return norm_expr(n, e);
    if (is_chain(e)) {
        Cond c = take_apart(n, e);
        return put_together(n, &c);
    }
    if (e->kind == N_LNOT)
        return negation(n->facts, norm_truth(n, e->kid[0]));
    return truth_of(norm_expr(n, e));
}
