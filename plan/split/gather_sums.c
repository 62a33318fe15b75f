/* SPDX-License-Identifier: GPL-3.0-or-later */
/* From the outside in, executing what scalars are worth, then out again, putting inner sums in place of the scalars that hold them. */
#include "plan/split/gather_sums.h"

#include "ir/walk.h"
#include "plan/contract/sum_terms.h"

typedef struct Gathering {
    Ir *ir;
    Env *env; /* of scalars that the chain declares */
    Vec own;  /* Sym *: those of the statements at hand */
    Sums *out;
} Gathering;

static Node *stmt_at(const Vec *list, int i) { return list->items[i]; }

static bool is_zero(const Node *n) { return (n->kind == N_INT && n->u.i == 0) || (n->kind == N_FLOAT && n->u.f == 0); }

static bool uses_element(Node *n, const Node *acc) { return acc->kind == N_VAR ? uses_sym(n, acc->sym) : reads_array(n, acc->sym); }

static void add_sum(Gathering *g, Node *acc, Node *term, bool negative, Loc loc)
{
    Sum *sum = arena_alloc(g->ir->arena, sizeof *sum);
    *sum = (Sum){acc, term, negative, loc};
    vec_push(g->ir->arena, &g->out->sums, sum);
}

static bool has(const Vec *vec, const void *item)
{
    for (int i = 0; i < vec->count; i++)
        if (vec->items[i] == item)
            return true;
    return false;
}

/* The terms of acc = acc + ..., but for acc itself. False: the statement is no such sum. */
static bool terms_of_sum(Gathering *g, Node *stmt, const Vec *inner, Node **acc, Vec *terms)
{
    Vec all = {0};
    bool found = false;
    if (stmt->kind != N_ASSIGN && stmt->kind != N_STORE)
        return false;
    *acc = stmt->kind == N_ASSIGN ? mk_var(g->ir, stmt->sym) : mk_load(g->ir, stmt->sym, stmt->nkids - 1, stmt->kid);
    *acc = env_eval(g->env, *acc);
    addends_of(g->ir, env_eval(g->env, stmt_value(stmt)), inner, &all);
    for (int i = 0; i < all.count; i++) {
        Addend *term = all.items[i];
        if (!found && term->value == *acc && !term->negative)
            found = true;
        else if (uses_element(term->value, *acc))
            return false;
        else
            vec_push(g->ir->arena, terms, term);
    }
    return found && !g->env->failed;
}

/* What statements do with the scalars that they declare is executed. */
static bool is_own(const Gathering *g, const Node *stmt)
{
    bool own = stmt->kind == N_IF || stmt->kind == N_BLOCK;
    for (int i = stmt->kind == N_IF; i < stmt->nkids && own; i++)
        own = stmt->kid[i]->kind != N_DECL && is_own(g, stmt->kid[i]);
    return own || stmt->kind == N_DECL || (stmt->kind == N_ASSIGN && has(&g->own, stmt->sym));
}

static bool gather_own(Gathering *g, Node *stmt)
{
    if (stmt->kind == N_DECL)
        vec_push(g->ir->arena, &g->own, stmt->sym);
    return env_exec(g->env, stmt, false);
}

/* A sum in the innermost loop. */
static bool gather_sum(Gathering *g, Node *stmt)
{
    const Vec none = {0};
    Vec terms = {0};
    Node *acc;
    if (!terms_of_sum(g, stmt, &none, &acc, &terms))
        return false;
    for (int i = 0; i < terms.count; i++) {
        const Addend *term = terms.items[i];
        add_sum(g, acc, term->value, term->negative, stmt->loc);
    }
    return true;
}

/* The sums of an inner loop that a term of an outer one is a multiple of, as sums of that one. False: it is of none. */
static bool gather_multiples(Gathering *g, const Vec *inner, Node *acc, const Addend *term, Loc loc)
{
    bool found = false;
    for (int i = 0; i < inner->count; i++) {
        const Sum *sum = inner->items[i];
        if (sum->acc->kind != N_VAR || !uses_sym(term->value, sum->acc->sym))
            continue;
        Node *product = with_factor(g->ir, term->value, sum->acc->sym, sum->term);
        if (!product)
            return false;
        add_sum(g, acc, product, term->negative != sum->negative, loc);
        found = true;
    }
    return found;
}

/* A sum behind an inner loop, of what that has summed up in `scalars`. */
static bool gather_outer(Gathering *g, Node *stmt, const Vec *inner, const Vec *scalars)
{
    Vec terms = {0};
    Node *acc;
    if (!terms_of_sum(g, stmt, scalars, &acc, &terms))
        return false;
    for (int i = 0; i < terms.count; i++)
        if (!gather_multiples(g, inner, acc, terms.items[i], stmt->loc))
            return false;
    g->out->flat = true;
    return true;
}

static bool gather_nested(Gathering *g, Node *n);

/* Own scalars that are 0, which now stand for what a loop inside sums up in them. */
static Vec sums_begin(Gathering *g)
{
    Vec scalars = {0};
    for (int i = 0; i < g->own.count; i++) {
        Node *var = mk_var(g->ir, g->own.items[i]);
        Env *env = env_copy(g->env);
        if ((type_is_float((Type)var->type) && type_bits((Type)var->type) < 32) || !is_zero(env_eval(env, var)) || env->failed)
            continue; /* narrow floats round after every step */
        vec_push(g->ir->arena, &scalars, var->sym);
        env_set(g->env, var->sym, var);
    }
    return scalars;
}

/* Does the inner loop do nothing but add to them? */
static bool only_summed(const Gathering *g, const Vec *scalars)
{
    for (int s = 0; s < scalars->count; s++) {
        for (int i = 0; i < g->out->sums.count; i++)
            if (uses_sym(((const Sum *)g->out->sums.items[i])->term, scalars->items[s]))
                return false;
        for (int i = 0; i < g->out->path.count; i++)
            for (int k = 0; k < 2 && is_expr(stmt_at(&g->out->path, i)->kid[k]); k++)
                if (uses_sym(stmt_at(&g->out->path, i)->kid[k], scalars->items[s]))
                    return false;
    }
    return true;
}

/* A loop inside, and the statements behind it, which put its sums into outer ones. */
static bool gather_inner(Gathering *g, const Vec *list, int at)
{
    const Vec scalars = sums_begin(g), own = g->own;
    g->own = (Vec){0};
    if (!gather_nested(g, stmt_at(list, at)) || !only_summed(g, &scalars))
        return false;
    const Vec inner = g->out->sums;
    g->own = own;
    g->out->sums = (Vec){0};
    for (int i = 0; i < inner.count; i++) {
        Sum *sum = inner.items[i];
        if (sum->acc->kind == N_VAR && has(&scalars, sum->acc->sym))
            continue;
        if (sum->acc->kind == N_VAR && has(&own, sum->acc->sym))
            return false;
        vec_push(g->ir->arena, &g->out->sums, sum);
    }
    for (int i = at + 1; i < list->count; i++) {
        Node *stmt = stmt_at(list, i);
        if (!(is_own(g, stmt) ? gather_own(g, stmt) : gather_outer(g, stmt, &inner, &scalars)))
            return false;
    }
    return true;
}

static bool gather_body(Gathering *g, Node *body)
{
    const Vec list = statements(g->ir, body);
    for (int i = 0; i < list.count; i++) {
        Node *stmt = stmt_at(&list, i);
        if (stmt->kind == N_FOR || (stmt->kind == N_IF && !is_own(g, stmt))) /* sums in front of it would not be the innermost loop's */
            return g->out->sums.count == 0 && gather_inner(g, &list, i);
        if (!(is_own(g, stmt) ? gather_own(g, stmt) : gather_sum(g, stmt)))
            return false;
    }
    return true;
}

static bool gather_nested(Gathering *g, Node *n)
{
    Ir *ir = g->ir;
    if (n->kind == N_IF && n->nkids == 2) {
        vec_push(ir->arena, &g->out->path, with_kid(ir, n, 0, env_eval(g->env, n->kid[0])));
        return gather_body(g, n->kid[1]);
    }
    if (n->kind != N_FOR || !n->aux)
        return false;
    Node *kids[] = {env_eval(g->env, n->kid[0]), env_eval(g->env, n->kid[1]), n->kid[2]};
    vec_push(ir->arena, &g->out->path, with_kids(ir, n, 3, kids));
    return gather_body(g, n->kid[2]);
}

bool is_moved(const Vec *path, Node *e)
{
    for (int i = 0; i < path->count; i++)
        if (stmt_at(path, i)->kind == N_FOR && uses_sym(e, stmt_at(path, i)->sym))
            return true;
    return false;
}

bool gather_sums(const NestContext *context, Node *loop, Sums *out)
{
    Gathering g = {.ir = context->ir, .env = env_new(context->ir, &context->defs), .out = out};
    *out = (Sums){0};
    return gather_nested(&g, loop) && !g.env->failed && out->sums.count > 0;
}
