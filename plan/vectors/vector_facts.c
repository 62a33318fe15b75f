/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Which scalars of a loop's body vary between iterations, and what else the loop does with symbols. */
#include "plan/vectors/vector_facts.h"

#include "depend/reduce.h"
#include "ir/walk.h"

static void note_fact(LoopFacts *f, const Sym *sym, VectorFact fact)
{
    void **facts = map_at(f->ir->arena, &f->facts, sym->id);
    *facts = (void *)((uintptr_t)*facts | fact);
}

static bool note_changes(void *user, Node *n)
{
    LoopFacts *f = user;
    if (n->kind == N_ASSIGN)
        note_fact(f, n->sym, ASSIGNED);
    if (n->kind == N_STORE)
        note_fact(f, n->sym, STORED);
    if (n->kind == N_DECL || loop_declares(n))
        note_fact(f, n->sym, OWN);
    return !is_expr(n);
}

/* ---------------------------------------------------------------- what varies */

static bool search_varying(const LoopFacts *f, const Node *n)
{
    bool yes = n->kind == N_VAR && vector_fact(f, n->sym, VARIES);
    for (int i = 0; i < n->nkids && !yes; i++)
        yes = vector_varies(f, n->kid[i]);
    return yes;
}

/* Long sums are asked about at every level: what is found stands in a table. */
bool vector_varies(const LoopFacts *f, Node *e)
{
    static const char no, yes;
    if (!e->nkids || !e->uses)
        return search_varying(f, e);
    void **known = map_at(f->ir->arena, f->known_to_vary, e->id);
    if (!*known)
        *known = (void *)(search_varying(f, e) ? &yes : &no);
    return *known == &yes;
}

typedef struct Spreading {
    LoopFacts *facts;
    bool grown;
} Spreading;

static void mark(Spreading *g, const Sym *sym)
{
    if (vector_fact(g->facts, sym, VARIES))
        return;
    note_fact(g->facts, sym, VARIES);
    g->grown = true;
    *g->facts->known_to_vary = (Map){0};
}

static bool mark_assigned(void *user, Node *n)
{
    if (n->kind == N_ASSIGN)
        mark(user, n->sym);
    return !is_expr(n);
}

static bool ends_apart(const LoopFacts *f, const Node *n)
{
    return n->kind == N_FOR && (vector_varies(f, n->kid[0]) || vector_varies(f, n->kid[1]));
}

/* Scalars that get a value that varies, or get one only in some iterations. */
static bool spread(void *user, Node *n)
{
    Spreading *g = user;
    const bool apart = ends_apart(g->facts, n);
    if (apart) {
        mark(g, n->sym);
        note_fact(g->facts, n->sym, ASSIGNED);
    }
    const bool value = (n->kind == N_DECL || n->kind == N_ASSIGN) && n->nkids && n->sym->rank == 0;
    if (value && vector_varies(g->facts, n->kid[0]))
        mark(g, n->sym);
    if (apart || (n->kind == N_IF && vector_varies(g->facts, n->kid[0])))
        walk(&(Walker){.pre = mark_assigned, .user = g}, n);
    return !is_expr(n);
}

LoopFacts vector_facts(Ir *ir, Node *loop, const Vec *reductions)
{
    LoopFacts f = {.ir = ir, .var = loop->sym, .body = loop->kid[2], .nsyms = ir->nsyms};
    f.known_to_vary = arena_alloc(ir->arena, sizeof *f.known_to_vary);
    note_fact(&f, loop->sym, OWN);
    walk(&(Walker){.pre = note_changes, .user = &f}, loop->kid[2]);
    note_fact(&f, loop->sym, VARIES);
    for (int i = 0; i < reductions->count; i++) {
        const Reduction *r = reductions->items[i];
        if (r->acc)
            note_fact(&f, r->acc, VARIES);
        for (int j = 0; j < r->nothers; j++)
            note_fact(&f, r->others[j], VARIES);
    }
    Spreading g = {&f, true};
    while (g.grown) {
        g.grown = false;
        walk(&(Walker){.pre = spread, .user = &g}, loop->kid[2]);
    }
    return f;
}

/* ---------------------------------------------------------------- wide lanes */

typedef struct Widths {
    const LoopFacts *facts;
    Map places; /* by symbol id: the value of a T_INDEX that the body declares */
    bool wide;
} Widths;

static bool find_wide(void *user, Node *n);

static void find_wide_below(Widths *w, Node *n)
{
    const int subscripts = n->kind == N_LOAD ? n->nkids : n->kind == N_STORE ? n->nkids - 1 : 0;
    for (int i = subscripts; i < n->nkids; i++)
        walk(&(Walker){.pre = find_wide, .user = w}, n->kid[i]);
}

/* Is it a sum of the loop's variable and of what does not change? Lanes are then so far apart as the first two are. */
static bool is_linear(const Widths *w, Node *e)
{
    if (!vector_varies(w->facts, e) || (e->kind == N_VAR && e->sym == w->facts->var))
        return true;
    Node *place = e->kind == N_VAR ? map_get(&w->places, e->sym->id) : NULL;
    if (place)
        return is_linear(w, place);
    return (e->kind == N_ADD || e->kind == N_SUB) && is_linear(w, e->kid[0]) && is_linear(w, e->kid[1]);
}

/* Subscripts are not computed by lanes, and numbers of 64 bits that become int are computed as such. */
static bool find_wide(void *user, Node *n)
{
    Widths *w = user;
    const bool place = n->kind == N_DECL && n->sym->rank == 0 && n->sym->type == T_INDEX;
    if (place && n->nkids)
        *map_at(w->facts->ir->arena, &w->places, n->sym->id) = n->kid[0];
    if (place)
        return false;
    if (is_expr(n) && !vector_varies(w->facts, n))
        return false;
    if (n->kind == N_CAST && n->type == T_INT && n->kid[0]->type == T_INDEX && is_linear(w, n->kid[0]))
        return false;
    const Type type = n->kind == N_STORE ? n->sym->type : is_expr(n) ? (Type)n->type : T_VOID;
    w->wide = w->wide || (type != T_VOID && type_bits(type) == 64);
    if (n->kind == N_LOAD || n->kind == N_STORE) {
        find_wide_below(w, n);
        return false;
    }
    return true;
}

bool vector_is_wide(const LoopFacts *facts)
{
    Widths w = {facts, {0}, false};
    walk(&(Walker){.pre = find_wide, .user = &w}, facts->body);
    return w.wide;
}
