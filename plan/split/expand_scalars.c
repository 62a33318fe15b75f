/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Which pieces touch a symbol decides: none, one, or more than one. */
#include "plan/split/expand_scalars.h"

#include "ir/walk.h"

typedef struct Expansion {
    const NestContext *context;
    Node *loop;
    Pieces *pieces;
    Sym *from, *to; /* what is being expanded */
    bool fits;
} Expansion;

static Node *stmt_at(const Pieces *p, int i) { return p->statements.items[i]; }

enum { NOWHERE = -1, SEVERAL = -2 };
enum { MAX_RANK = 8 };

/* The piece that alone touches the symbol. */
static int piece_of(const Pieces *p, const Sym *sym)
{
    int piece = NOWHERE;
    for (int i = 0; i < p->statements.count; i++)
        if (uses_sym(stmt_at(p, i), sym))
            piece = piece == NOWHERE || piece == p->piece[i] ? p->piece[i] : SEVERAL;
    return piece;
}

/* ---------------------------------------------------------------- elements */

/* The access with the loop's variable as one more subscript, in front of its own. */
static Node *expanded(void *user, Node *n)
{
    Expansion *e = user;
    Ir *ir = e->context->ir;
    if (n->sym != e->from)
        return n;
    Node *sub[MAX_RANK + 1] = {mk_var(ir, e->loop->sym)};
    const int rank = e->from->rank;
    for (int d = 0; d < rank && (n->kind == N_LOAD || n->kind == N_STORE); d++)
        sub[d + 1] = n->kid[d];
    switch ((Kind)n->kind) {
    case N_VAR:
    case N_LOAD: return mk_load(ir, e->to, rank + 1, sub);
    case N_ASSIGN:
    case N_STORE: return mk_store(ir, e->to, rank + 1, sub, stmt_value(n), (Kind)n->aux, n->loc);
    default: e->fits = false; return n;
    }
}

/* The contrary. */
static Node *narrowed(void *user, Node *n)
{
    Expansion *e = user;
    Ir *ir = e->context->ir;
    const int rank = e->to->rank;
    if (n->sym != e->from)
        return n;
    return n->kind == N_LOAD ? mk_load(ir, e->to, rank, n->kid + 1)
                             : mk_store(ir, e->to, rank, n->kid + 1, stmt_value(n), (Kind)n->aux, n->loc);
}

static void rewrite_all(Expansion *e, Vec *list, Node *(*post)(void *, Node *))
{
    for (int i = 0; i < list->count; i++)
        list->items[i] = rewrite(&(Rewriter){.ir = e->context->ir, .post = post, .user = e}, list->items[i]);
}

static Sym *array_of(Ir *ir, const Sym *from, Node *extent)
{
    Node *extents[MAX_RANK + 1] = {extent};
    for (int d = 0; d < from->rank; d++)
        extents[d + 1] = from->extent[d];
    return sym_new_array(ir, S_LOCAL_ARRAY, from->type, from->name, from->rank + 1, extents, from->loc);
}

static bool expand(Expansion *e, Sym *from, Vec *list)
{
    Node *extent = from->rank < MAX_RANK ? room_for(e->context, e->loop, from->rank) : NULL;
    if (!extent)
        return false;
    e->from = from;
    e->to = array_of(e->context->ir, from, extent);
    rewrite_all(e, list, expanded);
    return e->fits;
}

/* ---------------------------------------------------------------- declarations */

static bool is_array_decl(const Node *n) { return n->kind == N_DECL && n->sym->rank; }

/* Takes the statement out, and puts it in front of the first one of the piece. */
static void move_declaration(Ir *ir, Pieces *p, Node *decl, int piece)
{
    Vec statements = {0};
    int *numbers = arena_new_array(ir->arena, int, p->statements.count + 2), n = 0;
    bool placed = false;
    for (int i = 0; i < p->statements.count; i++) {
        if (stmt_at(p, i) == decl)
            continue;
        if (p->piece[i] == piece && !placed) {
            placed = true;
            numbers[n++] = piece;
            vec_push(ir->arena, &statements, decl);
        }
        numbers[n++] = p->piece[i];
        vec_push(ir->arena, &statements, stmt_at(p, i));
    }
    p->statements = statements;
    p->piece = numbers;
}

static void drop(Pieces *p, const Node *decl)
{
    int n = 0;
    for (int i = 0; i < p->statements.count; i++)
        if (stmt_at(p, i) != decl) {
            p->statements.items[n] = stmt_at(p, i);
            p->piece[n++] = p->piece[i];
        }
    p->statements.count = n;
}

/* The declaration, which is no statement now, where its symbol is touched. */
static bool settle(const Expansion *e, Node *decl)
{
    const int piece = piece_of(e->pieces, decl->sym);
    if (piece >= 0)
        move_declaration(e->context->ir, e->pieces, decl, piece);
    return piece != SEVERAL;
}

static Node *declaration_of(Ir *ir, Sym *sym) { return mk_decl(ir, sym, NULL, sym->loc); }

static int variable_extents(const Sym *array)
{
    int n = 0;
    for (int d = 0; d < array->rank; d++)
        n += array->extent[d] && array->extent[d]->kind != N_INT;
    return n;
}

/* The spec's own array with the most extents, of those that a loop stores to. */
typedef struct Largest {
    int ndefs, extents;
} Largest;

static bool note_extents(void *user, Node *n)
{
    Largest *l = user;
    if (n->kind == N_STORE && n->sym->id < l->ndefs && variable_extents(n->sym) > l->extents)
        l->extents = variable_extents(n->sym);
    return !is_expr(n);
}

/* Would the array, once expanded, have no more extents than one that the spec stores to in the loop? */
static bool is_like_output(const NestContext *context, Node *loop, const Sym *array)
{
    Largest l = {context->ndefs, 0};
    walk(&(Walker){.pre = note_extents, .user = &l}, loop);
    return variable_extents(array) < l.extents;
}

static bool may_expand(const NestContext *context, const PlanOptions *opt, Node *loop, const Node *decl)
{
    const bool made = is_array_decl(decl) && decl->sym->id >= context->ndefs;
    return is_array_decl(decl) && (!opt->cuda || !made || is_like_output(context, loop, decl->sym));
}

/* The list without a statement. Owned by the arena. */
static Vec without(Ir *ir, const Vec *list, const Node *stmt)
{
    Vec out = {0};
    for (int i = 0; i < list->count; i++)
        if (list->items[i] != stmt)
            vec_push(ir->arena, &out, list->items[i]);
    return out;
}

void expand_arrays(const NestContext *context, const PlanOptions *opt, Node *loop, Vec *list, Vec *expansions)
{
    Ir *ir = context->ir;
    Vec out = without(ir, list, NULL);
    for (int i = 0; i < list->count; i++) {
        const Node *decl = list->items[i];
        if (!may_expand(context, opt, loop, decl))
            continue;
        Expansion e = {.context = context, .loop = loop, .fits = true};
        Vec tried = without(ir, &out, decl);
        if (!expand(&e, decl->sym, &tried))
            continue;
        ArrayExpansion *x = arena_alloc(ir->arena, sizeof *x);
        *x = (ArrayExpansion){decl->sym, e.to};
        vec_push(ir->arena, expansions, x);
        out = tried;
    }
    *list = out;
}

/* An array that one piece alone touches is again as it was. */
static void settle_array(Expansion *e, const ArrayExpansion *x, Vec *arrays)
{
    Ir *ir = e->context->ir;
    if (piece_of(e->pieces, x->to) == SEVERAL) {
        vec_push(ir->arena, arrays, declaration_of(ir, x->to));
        return;
    }
    e->from = x->to;
    e->to = x->from;
    rewrite_all(e, &e->pieces->statements, narrowed);
    settle(e, declaration_of(ir, x->from));
}

bool expand_scalars(const NestContext *context, Node *loop, Pieces *pieces, const Vec *expansions, Vec *arrays)
{
    Ir *ir = context->ir;
    Expansion e = {.context = context, .loop = loop, .pieces = pieces, .fits = true};
    Vec declared = {0};
    for (int i = 0; i < pieces->statements.count; i++)
        if (is_array_decl(stmt_at(pieces, i)))
            vec_push(ir->arena, &declared, stmt_at(pieces, i));
    for (int i = 0; i < declared.count; i++) {
        drop(pieces, declared.items[i]);
        if (!settle(&e, declared.items[i]))
            return false;
    }
    for (int i = 0; i < expansions->count; i++)
        settle_array(&e, expansions->items[i], arrays);
    for (int i = 0; i < pieces->scalars.count; i++) {
        Sym *sym = pieces->scalars.items[i];
        if (settle(&e, declaration_of(ir, sym)))
            continue;
        if (!expand(&e, sym, &pieces->statements))
            return false;
        vec_push(ir->arena, arrays, declaration_of(ir, e.to));
    }
    return true;
}
