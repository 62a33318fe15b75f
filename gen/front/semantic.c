/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Checks of the tree: recursion, names, extents, what is assigned; and the small rewrites after them. */
#include "gen/front/semantic.h"

#include "fuse/names.h"
#include "gen/front/jumps.h"
#include "ir/sym_map.h"
#include "ir/walk.h"

/* Facts about every symbol of one function, by symbol id. */
typedef struct SymFacts {
    bool looping;      /* a loop over it is open, during a walk                 */
    bool assigned;     /* by a statement                                        */
    bool loops;        /* is the variable of a C89 loop                         */
    bool read_outside; /* read where no loop over it is open                    */
    bool written;      /* array: stored to, or handed to a helper that does     */
    Sym *now;          /* what stands for it from here on; NULL: it does itself */
} SymFacts;

typedef struct Semantics {
    Front *front;
    Func *f;
    Map facts;  /* by symbol id: SymFacts */
    int nfacts; /* symbols made here are beyond them */
} Semantics;

static SymFacts *facts_of(Semantics *s, const Sym *sym)
{
    SymFacts **at = (SymFacts **)map_at(s->front->ir->arena, &s->facts, sym->id);
    if (!*at)
        *at = arena_new_array(s->front->ir->arena, SymFacts, 1);
    return *at;
}

/* Facts. */

static bool is_written(const Front *front, const Sym *param)
{
    for (int i = 0; i < front->written.count; i++)
        if (front->written.items[i] == param)
            return true;
    return false;
}

/* Callees were checked before, so that what they write is known. */
static void note_call(Semantics *s, const Node *call)
{
    const Func *callee = call->sym->func;
    for (int i = 0; callee && i < call->nkids; i++)
        if (call->kid[i]->kind == N_REF && is_written(s->front, callee->params[i]))
            facts_of(s, call->kid[i]->sym)->written = true;
}

static void collect(Semantics *s, Node *n);

/* The loop's start is evaluated before its variable is set: outside. */
static void collect_loop(Semantics *s, Node *n)
{
    SymFacts *facts = facts_of(s, n->sym);
    collect(s, n->kid[0]);
    if (facts->looping)
        front_refuse(s->front, R_LOOP_ASSIGN, n->loc, n->sym->name);
    facts->loops |= !n->aux;
    facts->looping = true;
    collect(s, n->kid[1]);
    collect(s, n->kid[2]);
    facts->looping = false;
}

static void collect(Semantics *s, Node *n)
{
    if (n->kind == N_FOR) {
        collect_loop(s, n);
        return;
    }
    for (int i = 0; i < n->nkids; i++)
        collect(s, n->kid[i]);
    if (!n->sym)
        return;
    SymFacts *facts = facts_of(s, n->sym);
    switch ((Kind)n->kind) {
    case N_VAR: facts->read_outside |= !facts->looping; break;
    case N_ASSIGN:
        facts->assigned = true;
        if (facts->looping)
            front_refuse(s->front, R_LOOP_ASSIGN, n->loc, n->sym->name);
        break;
    case N_STORE: facts->written = true; break;
    case N_CALL: note_call(s, n); break;
    case N_DECL:
        for (int i = 0; i < n->sym->rank; i++)
            collect(s, n->sym->extent[i]);
        break;
    default: break;
    }
}

/* Parameters in numbers of bytes stand for extents, which are those of the call. */
static void check_unchanged(Semantics *s)
{
    const Vec *all = &s->front->unchanged;
    for (int i = 0; i < all->count; i++) {
        const Unchanged *u = all->items[i];
        if (facts_of(s, u->sym)->assigned || facts_of(s, u->sym)->loops)
            front_refuse(s->front, R_BYTES, u->loc, u->array);
    }
}

static void check_outputs(Semantics *s)
{
    const Func *f = s->f;
    bool writes = false;
    for (int i = 0; i < f->nparams; i++) {
        if (f->params[i]->kind != S_ARRAY || !facts_of(s, f->params[i])->written)
            continue;
        writes = true;
        vec_push(s->front->ir->arena, &s->front->written, f->params[i]);
    }
    if (!f->is_helper && !writes)
        front_refuse(s->front, R_NO_OUTPUT, f->loc, f->name);
    if (f->is_helper && f->result != T_VOID && writes)
        front_refuse(s->front, R_HELPER_WRITES, f->loc, f->name);
}

/* Variables. */

static bool is_private(Semantics *s, const Sym *v)
{
    const SymFacts *facts = facts_of(s, v);
    return (v->kind == S_LOCAL || v->kind == S_PARAM) && facts->loops && !facts->read_outside;
}

static Node *settle_post(void *user, Node *n);

/* What goes to the element: the value, or of the row that is copied the element at the same place in it, `rest`. */
static Node *filled_with(Ir *ir, Node *value, int nrest, Node *const *rest)
{
    if (value->kind != N_REF)
        return value;
    Node **at = arena_new_array(ir->arena, Node *, value->nkids + nrest);
    for (int d = 0; d < value->nkids; d++)
        at[d] = value->kid[d];
    for (int d = 0; d < nrest; d++)
        at[value->nkids + d] = rest[d];
    return mk_load(ir, value->sym, value->nkids + nrest, at);
}

/* array = value or = row, element by element; of a row of the array too. */
static Node *fill_array(Ir *ir, const Node *store)
{
    Sym *array = store->sym;
    const int given = store->nkids - 1;
    Node **vars = arena_new_array(ir->arena, Node *, array->rank);
    for (int d = 0; d < array->rank; d++)
        vars[d] = d < given ? store->kid[d]
                            : mk_var(ir, sym_new(ir, S_LOOP, array->extent[d]->type, arena_printf(ir->arena, "z%d", d), store->loc));
    Node *value = filled_with(ir, stmt_value(store), array->rank - given, vars + given);
    Node *body = mk_store(ir, array, array->rank, vars, value, N_NONE, store->loc);
    for (int d = array->rank; d-- > given;) {
        Node *below = mk_binary(ir, N_LT, vars[d], array->extent[d]);
        body = mk_block(ir, 1, &body, store->loc);
        body = mk_for(ir, vars[d]->sym, mk_int(ir, array->extent[d]->type, 0), below, 1, body, true, store->loc);
    }
    return body;
}

/* A loop over a private variable gets a symbol of its own. */
static Node *settle_pre(void *user, Node *n)
{
    Semantics *s = user;
    if (n->kind != N_FOR || n->aux || !is_private(s, n->sym))
        return NULL;
    Ir *ir = s->front->ir;
    Rewriter rewriter = {.ir = ir, .pre = settle_pre, .post = settle_post, .user = s};
    SymFacts *facts = facts_of(s, n->sym);
    Node *lo = rewrite(&rewriter, n->kid[0]);
    facts->now = sym_new(ir, S_LOOP, n->sym->type, n->sym->name, n->sym->loc);
    Sym *own = facts->now;
    Node *cond = rewrite(&rewriter, n->kid[1]), *body = rewrite(&rewriter, n->kid[2]);
    facts->now = NULL;
    return mk_for(ir, own, lo, cond, n->u.i, body, true, n->loc);
}

static Node *settle_post(void *user, Node *n)
{
    Semantics *s = user;
    Ir *ir = s->front->ir;
    if (!n->sym || n->sym->id >= s->nfacts)
        return n;
    if ((n->kind == N_ASSIGN || n->kind == N_DECL) && is_private(s, n->sym))
        return NULL;
    if (n->kind == N_STORE && n->nkids <= n->sym->rank)
        return fill_array(ir, n);
    if (n->kind == N_DECL && n->sym->rank) {
        Rewriter rewriter = {.ir = ir, .post = settle_post, .user = s};
        for (int i = 0; i < n->sym->rank; i++)
            n->sym->extent[i] = rewrite(&rewriter, n->sym->extent[i]);
    }
    Sym *now = facts_of(s, n->sym)->now;
    return now ? with_sym_kids(ir, n, now, n->nkids, n->kid) : n;
}

static bool note_name(void *user, Node *n)
{
    if (n->kind == N_DECL || n->kind == N_FOR)
        names_add(user, n->sym->name);
    return !is_expr(n);
}

static void settle_variables(Semantics *s)
{
    Ir *ir = s->front->ir;
    Func *f = s->f;
    Vec body = {0};
    Names names;
    names_init(&names, ir->arena);
    for (int i = 0; i < f->nparams; i++)
        names_add(&names, f->params[i]->name);
    walk(&(Walker){.pre = note_name, .user = &names}, f->body);
    for (int i = 0; i < f->nparams; i++) {
        Sym *p = f->params[i];
        SymFacts *facts = facts_of(s, p);
        if (p->kind != S_PARAM || is_private(s, p) || (!facts->assigned && !facts->loops))
            continue;
        facts->now = sym_new(ir, S_LOCAL, p->type, names_fresh(&names, p->name), p->loc);
        vec_push(ir->arena, &body, mk_decl(ir, facts->now, mk_var(ir, p), p->loc));
    }
    Node *settled = rewrite(&(Rewriter){.ir = ir, .pre = settle_pre, .post = settle_post, .user = s}, f->body);
    if (!body.count) {
        f->body = settled;
        return;
    }
    for (int i = 0; i < settled->nkids; i++)
        vec_push(ir->arena, &body, settled->kid[i]);
    f->body = mk_block(ir, body.count, (Node *const *)body.items, f->body->loc);
}

void check_semantics(Front *front, Func *f)
{
    settle_jumps(front, f);
    if (front->faults.count)
        return;
    Semantics s = {.front = front, .f = f, .nfacts = front->ir->nsyms};
    collect(&s, s.f->body);
    check_unchanged(&s);
    check_outputs(&s);
    if (!front->faults.count)
        settle_variables(&s);
}
