/* Tries to separate the statements of a loop, outermost loops first, where a contraction comes of it. */
#include "plan/contract/distribute.h"

#include "depend/depend.h"
#include "ir/walk.h"
#include "plan/contract/map.h"

typedef struct Distributing {
    const NestContext *context;
    const PlanOptions *opt;
} Distributing;

static Node *stmt_at(const Vec *list, int i) { return list->items[i]; }

static Node *block_of(Ir *ir, const Vec *list, Loc loc)
{
    return list->count == 1 && stmt_at(list, 0)->kind != N_DECL ? stmt_at(list, 0) : mk_block(ir, list->count, (Node **)list->items, loc);
}

/* The same loop around some of its statements. Pieces share the loop's variable until unique_loops(). */
static Node *loop_around(Ir *ir, Node *loop, const Vec *list, int from, int to)
{
    Node *body = mk_block(ir, to - from, (Node **)list->items + from, loop->loc);
    Node *kids[] = {loop->kid[0], loop->kid[1], body};
    return with_kids(ir, loop, 3, kids);
}

static bool contains_for(Node *n)
{
    if (n->kind == N_FOR)
        return true;
    for (int i = 0; i < n->nkids; i++)
        if (!is_expr(n->kid[i]) && contains_for(n->kid[i]))
            return true;
    return false;
}

static bool is_contraction(const Distributing *d, Node *loop) { return map_contraction(d->context, d->opt, loop) != NULL; }

/* Declarations that stand for expressions over parameters and loop variables would keep the statements
 * together: their uses are replaced. False when another declaration is there. */
static bool fill_declarations(const NestContext *context, Vec *list)
{
    Ir *ir = context->ir;
    Vec out = {0};
    for (int i = 0; i < list->count; i++) {
        Node *stmt = stmt_at(list, i);
        if (stmt->kind != N_DECL) {
            vec_push(ir->arena, &out, stmt);
            continue;
        }
        Node *def = stmt->sym->id < context->ndefs ? context->defs[stmt->sym->id] : NULL;
        if (!def)
            return false;
        for (int j = i + 1; j < list->count; j++)
            list->items[j] = substitute(ir, list->items[j], stmt->sym, def);
    }
    *list = out;
    return true;
}

/* Marks in `starts` where a new loop has to begin: contractions stand alone, the others stay together. */
static bool find_pieces(const Distributing *d, Node *loop, const Vec *list, bool *starts)
{
    bool any = false, after_contraction = false;
    for (int i = 0; i < list->count; i++) {
        bool contraction = contains_for(stmt_at(list, i)) && is_contraction(d, loop_around(d->context->ir, loop, list, i, i + 1));
        starts[i] = i == 0 || contraction || after_contraction;
        after_contraction = contraction;
        any = any || contraction;
    }
    return any;
}

static bool may_split(const Distributing *d, Node *loop, const Vec *list, const bool *starts)
{
    const NestContext *c = d->context;
    for (int i = 0; i < list->count; i++) {
        bool parted = false;
        for (int j = i + 1; j < list->count; j++) {
            parted = parted || starts[j];
            if (parted && (shares_scalar(c->ir, stmt_at(list, i), stmt_at(list, j)) ||
                           carries_dependence(c->ir, loop, stmt_at(list, i), stmt_at(list, j), c->defs, c->ndefs)))
                return false;
        }
    }
    return true;
}

/* Bounds that read memory or scalars that the body writes are evaluated anew by every piece. */
static bool bounds_are_stable(Ir *ir, Node *loop)
{
    return loop->aux && !reads_array(loop->kid[0], NULL) && !reads_array(loop->kid[1], NULL) &&
           !shares_scalar(ir, loop->kid[2], loop->kid[1]) && !shares_scalar(ir, loop->kid[2], loop->kid[0]);
}

static Vec distribute_list(const Distributing *d, Node *n);

/* The loops that stand for `loop`: itself, or one per piece. */
static Vec distribute_loop(const Distributing *d, Node *loop)
{
    Ir *ir = d->context->ir;
    Vec inner = distribute_list(d, loop->kid[2]), out = {0};
    Node *kids[] = {loop->kid[0], loop->kid[1], loop->kid[2]};
    bool changed = !(inner.count == 1 && stmt_at(&inner, 0) == loop->kid[2]);
    if (changed && loop->kid[2]->kind == N_BLOCK && loop->kid[2]->nkids == inner.count) {
        changed = false;
        for (int i = 0; i < inner.count; i++)
            changed = changed || stmt_at(&inner, i) != loop->kid[2]->kid[i];
    }
    if (changed)
        kids[2] = block_of(ir, &inner, loop->loc);
    Node *whole = with_kids(ir, loop, 3, kids);
    bool *starts = arena_new_array(ir->arena, bool, inner.count + 1);
    if (inner.count < 2 || is_contraction(d, whole) || !bounds_are_stable(ir, whole) || !fill_declarations(d->context, &inner) ||
        !find_pieces(d, whole, &inner, starts) || !may_split(d, whole, &inner, starts)) {
        vec_push(ir->arena, &out, whole);
        return out;
    }
    for (int i = 0; i < inner.count;) {
        int end = i + 1;
        while (end < inner.count && !starts[end])
            end++;
        vec_push(ir->arena, &out, loop_around(ir, loop, &inner, i, end));
        i = end;
    }
    return out;
}

static Node *distribute_stmt(const Distributing *d, Node *n)
{
    Vec list = distribute_list(d, n);
    return list.count == 1 && list.items[0] == n ? n : block_of(d->context->ir, &list, n->loc);
}

/* What stands for a statement; a block's statements are given one by one, but a block among them stays one. */
static Vec distribute_list(const Distributing *d, Node *n)
{
    Ir *ir = d->context->ir;
    Vec out = {0};
    if (n->kind == N_FOR)
        return distribute_loop(d, n);
    if (n->kind == N_BLOCK) {
        for (int i = 0; i < n->nkids; i++) {
            Node *kid = n->kid[i];
            if (kid->kind == N_BLOCK) {
                vec_push(ir->arena, &out, distribute_stmt(d, kid));
                continue;
            }
            Vec list = distribute_list(d, kid);
            for (int j = 0; j < list.count; j++)
                vec_push(ir->arena, &out, list.items[j]);
        }
        return out;
    }
    if (n->kind == N_IF) {
        Node *kids[3] = {n->kid[0]};
        for (int i = 1; i < n->nkids; i++)
            kids[i] = distribute_stmt(d, n->kid[i]);
        n = with_kids(ir, n, n->nkids, kids);
    }
    vec_push(ir->arena, &out, n);
    return out;
}

typedef struct Unique {
    Ir *ir;
    Vec seen; /* per symbol id: not NULL when a loop has declared it */
} Unique;

static Node *unique_pre(void *user, Node *n)
{
    Unique *u = user;
    if (is_expr(n))
        return n;
    if (n->kind != N_FOR || !n->aux)
        return NULL;
    while (u->seen.count <= n->sym->id)
        vec_push(u->ir->arena, &u->seen, NULL);
    if (!u->seen.items[n->sym->id]) {
        u->seen.items[n->sym->id] = n->sym;
        return NULL;
    }
    Sym *var = sym_new(u->ir, n->sym->kind, n->sym->type, n->sym->name, n->sym->loc);
    return rewrite(&(Rewriter){.ir = u->ir, .pre = unique_pre, .user = u}, rename_sym(u->ir, n, n->sym, var));
}

/* Every loop gets a variable of its own again. */
static Node *unique_loops(Ir *ir, Node *body)
{
    Unique u = {.ir = ir};
    return rewrite(&(Rewriter){.ir = ir, .pre = unique_pre, .user = &u}, body);
}

Node *distribute(const NestContext *context, const PlanOptions *opt, Node *body)
{
    Distributing d = {context, opt};
    Vec list = distribute_list(&d, body);
    return unique_loops(context->ir, with_kids(context->ir, body, list.count, (Node **)list.items));
}
