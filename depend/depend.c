/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Subscripts of two accesses compared as polynomials: apart for certain, or perhaps the same. */
#include "depend/depend.h"

#include "depend/carry.h"
#include "depend/env.h"
#include "depend/poly.h"
#include "ir/walk.h"

typedef struct Facts {
    Ir *ir;
    Vec accesses; /* N_LOAD and N_STORE nodes */
    Vec written;  /* scalars assigned, declared or looped over */
    bool opaque;  /* something whose accesses are not visible */
} Facts;

static bool gather(void *user, Node *n)
{
    Facts *f = user;
    Arena *arena = f->ir->arena;
    switch ((Kind)n->kind) {
    case N_LOAD:
    case N_STORE: vec_push(arena, &f->accesses, n); break;
    case N_DECL:
    case N_ASSIGN:
    case N_FOR: vec_push(arena, &f->written, n->sym); break;
    case N_CONTRACT:
    case N_LAUNCH:
    case N_EVAL: f->opaque = true; break;
    default: break;
    }
    return true;
}

static Facts facts_of(Ir *ir, Node *n)
{
    Facts f = {.ir = ir};
    walk(&(Walker){.pre = gather, .user = &f}, n);
    return f;
}

typedef struct Query {
    Ir *ir;
    Sym *var;
    Node *loop; /* around the two statements, and around what else it does */
    const Facts *body; /* of the whole loop body: what varies within an iteration */
    Env *env;
} Query;

static bool varies(const Query *q, const Poly *p)
{
    for (int i = 0; i < q->body->written.count; i++)
        if (poly_uses(p, q->body->written.items[i]))
            return true;
    return false;
}

static bool reads_memory(const Poly *p)
{
    for (int i = 0; i < p->nterms; i++)
        for (int j = 0; j < p->terms[i].natoms; j++)
            if (has_load(p->terms[i].atoms[j]))
                return true;
    return false;
}

/* Do these subscripts differ whenever the loop variable does? Or differ always? */
static bool subscripts_part(const Query *q, Node *x, Node *y)
{
    Ir *ir = q->ir;
    Poly *cx, *cy, *rx, *ry;
    int64_t step_x, step_y, distance;
    q->env->failed = false;
    Poly *px = poly_of(ir, env_eval(q->env, x)), *py = poly_of(ir, env_eval(q->env, y));
    if (q->env->failed || !poly_affine(ir, px, &q->var, 1, &cx, &rx) || !poly_affine(ir, py, &q->var, 1, &cy, &ry))
        return false;
    if (varies(q, rx) || varies(q, ry) || reads_memory(rx) || reads_memory(ry))
        return false;
    if (!poly_const(cx, &step_x) || !poly_const(cy, &step_y) || step_x != step_y)
        return false;
    if (!poly_const(poly_sub(ir, rx, ry), &distance))
        return false;
    return step_x != 0 ? distance == 0 : distance != 0;
}

/* Has it a product of variables, as m * N + n has? */
static bool has_rows(Ir *ir, Node *subscript)
{
    const Poly *p = poly_of(ir, subscript);
    bool found = false;
    for (int i = 0; i < p->nterms; i++)
        found = found || p->terms[i].natoms > 1;
    return found;
}

/* The same array, which one of them writes. */
static bool compete(const Node *x, const Node *y) { return x->sym == y->sym && (x->kind == N_STORE || y->kind == N_STORE); }

static bool may_meet(const Query *q, const Node *x, const Node *y)
{
    if (!compete(x, y))
        return false;
    bool flat = false;
    for (int d = 0; d < x->sym->rank; d++) {
        if (subscripts_part(q, x->kid[d], y->kid[d]))
            return false;
        flat = flat || (has_rows(q->ir, x->kid[d]) && has_rows(q->ir, y->kid[d]));
    }
    return !flat || meet_across_iterations(q->ir, q->loop, x, y);
}

static bool any_meet(const Query *q, const Facts *a, const Facts *b)
{
    for (int i = 0; i < a->accesses.count; i++)
        for (int j = 0; j < b->accesses.count; j++)
            if (may_meet(q, a->accesses.items[i], b->accesses.items[j]))
                return true;
    return false;
}

static bool any_compete(const Facts *a, const Facts *b)
{
    for (int i = 0; i < a->accesses.count; i++)
        for (int j = 0; j < b->accesses.count; j++)
            if (compete(a->accesses.items[i], b->accesses.items[j]))
                return true;
    return false;
}

bool carries_dependence(Ir *ir, Node *loop, Node *a, Node *b, const Map *defs)
{
    Facts fa = facts_of(ir, a), fb = facts_of(ir, b);
    if (fa.opaque || fb.opaque || !any_compete(&fa, &fb))
        return fa.opaque || fb.opaque;
    Facts body = facts_of(ir, loop->kid[2]);
    Node *all[] = {a, b, loop->kid[2]};
    Query q = {ir, loop->sym, with_kid(ir, loop, 2, mk_block(ir, 3, all, loop->loc)), &body, env_new(ir, defs)};
    return any_meet(&q, &fa, &fb);
}

typedef struct Scalars {
    Ir *ir;
    Vec outer; /* written here, declared elsewhere */
    Vec own;
} Scalars;

static bool gather_scalars(void *user, Node *n)
{
    Scalars *s = user;
    if (n->kind == N_DECL || (n->kind == N_FOR && n->aux))
        vec_push(s->ir->arena, &s->own, n->sym);
    if (n->kind == N_ASSIGN || (n->kind == N_FOR && !n->aux))
        vec_push(s->ir->arena, &s->outer, n->sym);
    return !is_expr(n);
}

static bool is_own(const Scalars *s, const Sym *sym)
{
    for (int i = 0; i < s->own.count; i++)
        if (s->own.items[i] == sym)
            return true;
    return false;
}

static bool writes_scalar_of(Ir *ir, Node *a, Node *b)
{
    Scalars s = {.ir = ir};
    walk(&(Walker){.pre = gather_scalars, .user = &s}, a);
    for (int i = 0; i < s.outer.count; i++)
        if (!is_own(&s, s.outer.items[i]) && uses_sym(b, s.outer.items[i]))
            return true;
    /* A declaration directly among the body's statements is visible to the later ones. */
    return a->kind == N_DECL && uses_sym(b, a->sym);
}

bool shares_scalar(Ir *ir, Node *a, Node *b) { return writes_scalar_of(ir, a, b) || writes_scalar_of(ir, b, a); }
