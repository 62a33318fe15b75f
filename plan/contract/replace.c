/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Puts contractions in the place of their nests, and the element-wise nests around them into their epilogues.
 */
#include "depend/index.h"
#include "ir/walk.h"
#include "plan/contract/map.h"
#include "plan/contract/epilogue.h"
#include "plan/contract/replace.h"

/* Beyond this an epilogue made of several nests would compute things twice over. */
enum { MAX_EPILOGUE = 400 };

typedef struct Replacement {
    const NestContext *context;
    const PlanOptions *opt;
    Vec *found;
} Replacement;

static bool is_zero(const Node *n) { return (n->kind == N_INT && n->u.i == 0) || (n->kind == N_FLOAT && n->u.f == 0); }

static const NestLoop *loop_of(const Nest *map, const Sym *var)
{
    for (int i = 0; i < map->nloops; i++)
        if (map->loop[i].var == var)
            return &map->loop[i];
    return NULL;
}

/* The loop of `map` that moves the given subscript as the contraction's loop `dim` moves its own. */
static const NestLoop *partner(Ir *ir, const Nest *map, const LoopDim *dim, Node *const *sub)
{
    Sym *vars[MAX_LOOPS];
    Poly *coef[MAX_LOOPS], *rest, *own, *own_rest;
    for (int i = 0; i < map->nloops; i++)
        vars[i] = map->loop[i].var;
    Sym *var = dim->var;
    for (int d = 0; d < map->out->rank; d++) {
        if (!poly_affine(ir, poly_of(ir, sub[d]), &var, 1, &own, &own_rest) || own->nterms == 0)
            continue;
        if (!poly_affine(ir, poly_of(ir, map->sub[d]), vars, map->nloops, coef, &rest))
            continue;
        for (int i = 0; i < map->nloops; i++)
            if (poly_equal(coef[i], own))
                return loop_of(map, vars[i]);
    }
    return NULL;
}

/* The value a map nest stores, with its loops' variables replaced by the contraction's; NULL when the two do
 * not run over the same elements of the output, or the map reads the output elsewhere. */
static Node *value_at_point(Ir *ir, const Nest *map, const Contraction *c)
{
    const Node *store = c->epilogue->kid[0];
    Node *value = map->value, *sub[MAX_LOOPS];
    int outer = 0;
    if (map->out != c->c.array || map->out->rank > MAX_LOOPS)
        return NULL;
    for (int d = 0; d < map->out->rank; d++)
        sub[d] = map->sub[d];
    for (int i = 0; i < c->ndims; i++) {
        const LoopDim *dim = &c->dims[i];
        if (dim->role == R_K)
            continue;
        const NestLoop *l = partner(ir, map, dim, store->kid);
        if (!l || l->lo != dim->lo || l->step != dim->step || l->extent != dim->extent || l->var->type != dim->var->type)
            return NULL;
        Node *var = mk_var(ir, dim->var);
        value = substitute(ir, value, l->var, var);
        for (int d = 0; d < map->out->rank; d++)
            sub[d] = substitute(ir, sub[d], l->var, var);
        outer++;
    }
    for (int d = 0; d < map->out->rank; d++)
        if (!poly_equal(poly_of(ir, sub[d]), poly_of(ir, store->kid[d])))
            return NULL;
    return outer == map->nloops ? value : NULL;
}

typedef struct Composing {
    Ir *ir;
    const Node *store; /* of the element: array and subscripts */
    Node *old;         /* what the element is worth */
    bool ok;
} Composing;

static bool is_element(const Composing *c, const Node *n)
{
    if (n->kind != N_LOAD || n->sym != c->store->sym)
        return false;
    for (int d = 0; d < n->nkids; d++)
        if (!poly_equal(poly_of(c->ir, n->kid[d]), poly_of(c->ir, c->store->kid[d])))
            return false;
    return true;
}

static Node *compose_post(void *user, Node *n)
{
    Composing *c = user;
    if (n->kind == N_LOAD && n->sym == c->store->sym) {
        c->ok = c->ok && is_element(c, n);
        return c->old;
    }
    if ((n->kind == N_ADD || n->kind == N_SUB) && n->kid[0] == c->old && is_zero(c->old))
        return n->kind == N_ADD ? n->kid[1] : mk_unary(c->ir, N_NEG, n->kid[1]);
    if (n->kind == N_ADD && n->kid[1] == c->old && is_zero(c->old))
        return n->kid[0];
    return n;
}

/* `value` with the element of the output replaced by `old`; NULL when it reads another element. */
static Node *compose(Ir *ir, const Contraction *c, Node *value, Node *old)
{
    Composing composing = {ir, c->epilogue->kid[0], old, true};
    Node *result = rewrite(&(Rewriter){.ir = ir, .post = compose_post, .user = &composing}, value);
    return composing.ok && tree_size(result, MAX_EPILOGUE) < MAX_EPILOGUE ? result : NULL;
}

/* Reads of the output in `value` are of the element itself? Only then may it move to another point in time. */
static bool reads_own_element(Ir *ir, const Contraction *c, Node *value) { return compose(ir, c, value, value) != NULL; }

static bool fold_before(const NestContext *context, Contraction *c, Node *loop)
{
    Ir *ir = context->ir;
    Node *value = epilogue_value(c);
    if (!value || !reads_array(value, c->c.array) || loop->kind != N_FOR)
        return false;
    Nest *map = match_map(context, loop);
    Node *init = map ? value_at_point(ir, map, c) : NULL;
    if (!init || !reads_own_element(ir, c, init) || !(value = compose(ir, c, value, init)))
        return false;
    set_epilogue_value(ir, c, value);
    capture_scalars(ir, c);
    return true;
}

static bool fold_after(const NestContext *context, Contraction *c, Node *loop)
{
    Ir *ir = context->ir;
    Node *value = epilogue_value(c);
    Nest *map = value && loop->kind == N_FOR ? match_map(context, loop) : NULL;
    Node *update = map ? value_at_point(ir, map, c) : NULL;
    if (!update || !reads_array(update, c->c.array) || !(value = compose(ir, c, update, value)))
        return false;
    set_epilogue_value(ir, c, value);
    capture_scalars(ir, c);
    return true;
}

static Node *replace_stmt(const Replacement *r, Node *n);

static Node *contract_node(const Replacement *r, Contraction *c)
{
    Ir *ir = r->context->ir;
    c->index = r->found->count;
    vec_push(ir->arena, r->found, c);
    return mk_contract(ir, c->c.array, c->index, 0, NULL, c->loc);
}

/* The captured scalars are known only when nothing more is folded into the epilogue. */
static Node *with_captured(Ir *ir, Node *n, const Contraction *c)
{
    Node **vars = arena_new_array(ir->arena, Node *, c->ncaptured);
    for (int i = 0; i < c->ncaptured; i++)
        vars[i] = mk_var(ir, c->captured[i]);
    return with_kids(ir, n, c->ncaptured, vars);
}

/* The contraction's node under its condition, if it has one, with the loop, or another contraction, where that does not hold. */
static Node *finished(const Replacement *r, Node *contract, Contraction *c, Node *loop)
{
    Ir *ir = r->context->ir;
    Node *none = ix_int(ir, 0), **batches = &c->extent[R_BATCH], *otherwise = loop;
    contract = with_captured(ir, contract, c);
    if (!c->applies.condition)
        return contract;
    *batches = mk_select(ir, c->applies.condition, *batches, none);
    if (c->applies.otherwise) {
        Contraction *other = c->applies.otherwise;
        otherwise = finished(r, contract_node(r, other), other, loop);
        other->applies.is_otherwise = true;
        other->extent[R_BATCH] = mk_select(ir, c->applies.condition, none, other->extent[R_BATCH]);
    }
    return mk_if(ir, c->applies.condition, contract, otherwise, c->loc);
}

/* With a neighbour's work it pays in any case. */
static bool folded(Contraction *c, bool folds)
{
    if (folds)
        c->applies.condition = NULL;
    return folds;
}

static Node *replace_block(const Replacement *r, Node *block)
{
    Ir *ir = r->context->ir;
    Vec out = {0}, open = {0}, loops = {0}; /* open[i]: the contraction that out[i] stands for, in place of loops[i]; or NULL */
    for (int i = 0; i < block->nkids; i++) {
        Node *stmt = block->kid[i];
        Contraction *last = open.count ? open.items[open.count - 1] : NULL;
        if (last && !last->applies.is_partial && folded(last, fold_after(r->context, last, stmt)))
            continue;
        Contraction *c = stmt->kind == N_FOR ? map_contraction(r->context, r->opt, stmt) : NULL;
        if (c && !c->applies.is_partial && i > 0 && !last && out.count && folded(c, fold_before(r->context, c, block->kid[i - 1]))) {
            out.count--;
            open.count--;
            loops.count--;
        }
        vec_push(ir->arena, &out, c ? contract_node(r, c) : replace_stmt(r, stmt));
        vec_push(ir->arena, &open, c);
        vec_push(ir->arena, &loops, stmt);
    }
    for (int i = 0; i < out.count; i++)
        if (open.items[i])
            out.items[i] = finished(r, out.items[i], open.items[i], loops.items[i]);
    return with_kids(ir, block, out.count, (Node **)out.items);
}

static Node *replace_stmt(const Replacement *r, Node *n)
{
    Ir *ir = r->context->ir;
    if (n->kind == N_BLOCK)
        return replace_block(r, n);
    if (n->kind != N_FOR && n->kind != N_IF)
        return n;
    Node *kids[3];
    const NestContext inside = context_in(r->context, n);
    const Replacement own = {&inside, r->opt, r->found};
    for (int i = 0; i < n->nkids; i++) {
        kids[i] = n->kid[i];
        if (is_expr(kids[i]))
            continue;
        Contraction *c = kids[i]->kind == N_FOR ? map_contraction(&inside, r->opt, kids[i]) : NULL;
        kids[i] = c ? finished(&own, contract_node(&own, c), c, kids[i]) : replace_stmt(&own, kids[i]);
    }
    return with_kids(ir, n, n->nkids, kids);
}

Node *replace_contractions(const NestContext *context, const PlanOptions *opt, Node *body, Vec *found)
{
    Replacement r = {context, opt, found};
    return replace_stmt(&r, body);
}
