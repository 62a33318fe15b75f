/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Ranks of expressions bottom-up, remembered until something they depend on changes. */
#include "ir/loop_rank.h"

#include "ir/effect.h"
#include "ir/sym_map.h"

typedef struct LoopInfo {
    Vec modified; /* Sym */
    Map seen;     /* Sym.id: what is in `modified` already */
    bool is_outer; /* contains a loop */
} LoopInfo;

typedef struct SymRank {
    int rank;
    bool fixed; /* a let whose rank is decided */
} SymRank;

typedef struct ExprRank {
    int context, rank;
} ExprRank;

typedef struct Frame {
    const LoopInfo *info;
    int *outside; /* rank of info->modified[i] outside the loop */
    int context;
} Frame;

struct Ranks {
    Ir *ir;
    Ranges *ranges;
    Map loops; /* by Node.id: LoopInfo */
    Map syms;  /* by Sym.id: SymRank   */
    Map exprs; /* by Node.id: ExprRank */
    Vec open;  /* Frame, outermost first; while collecting: LoopInfo */
    int contexts;
};

/* Collecting. */

/* A loop that knows the symbol has told its outer loops. */
static void modifies(void *user, const Sym *sym)
{
    Ranks *r = user;
    for (int i = r->open.count - 1; i >= 0; i--) {
        LoopInfo *info = r->open.items[i];
        void **seen = map_at(r->ir->scratch, &info->seen, sym->id);
        if (*seen)
            return;
        *seen = (void *)sym;
        vec_push(r->ir->scratch, &info->modified, (void *)sym);
    }
}

/* What the start of a loop changes counts as changed in it: nothing from inside may move in front of that. */
static void collect(Ranks *r, Node *n)
{
    if (is_expr(n) && !(expr_flags(r->ranges, n) & EXPR_CALLS))
        return;
    if (is_loop(n)) {
        LoopInfo *info = arena_alloc(r->ir->scratch, sizeof *info);
        *map_at(r->ir->scratch, &r->loops, n->id) = info;
        if (r->open.count)
            ((LoopInfo *)r->open.items[r->open.count - 1])->is_outer = true;
        vec_push(r->ir->scratch, &r->open, info);
    }
    own_effects(n, modifies, r);
    for (int i = 0; i < n->nkids; i++)
        collect(r, n->kid[i]);
    r->open.count -= is_loop(n);
}

Ranks *ranks_new(Ir *ir, Ranges *ranges, Node *body)
{
    Ranks *r = arena_alloc(ir->scratch, sizeof *r);
    r->ir = ir;
    r->ranges = ranges;
    collect(r, body);
    return r;
}

const Vec *loop_modifies(const Ranks *r, const Node *loop) { return &((LoopInfo *)map_get(&r->loops, loop->id))->modified; }

/* Positions. */

static SymRank *sym_rank(Ranks *r, const Sym *sym)
{
    void **at = map_at(r->ir->scratch, &r->syms, sym->id);
    if (!*at)
        *at = arena_alloc(r->ir->scratch, sizeof(SymRank));
    return *at;
}

void ranks_enter(Ranks *r, const Node *loop)
{
    Frame *f = arena_alloc(r->ir->scratch, sizeof *f);
    f->info = map_get(&r->loops, loop->id);
    f->context = ++r->contexts;
    f->outside = arena_new_array(r->ir->scratch, int, f->info->modified.count);
    vec_push(r->ir->scratch, &r->open, f);
    for (int i = 0; i < f->info->modified.count; i++) {
        SymRank *s = sym_rank(r, f->info->modified.items[i]);
        f->outside[i] = s->rank;
        if (!s->fixed)
            s->rank = r->open.count;
    }
}

void ranks_leave(Ranks *r)
{
    const Frame *f = r->open.items[--r->open.count];
    for (int i = 0; i < f->info->modified.count; i++) {
        SymRank *s = sym_rank(r, f->info->modified.items[i]);
        if (!s->fixed)
            s->rank = f->outside[i];
    }
}

int ranks_depth(const Ranks *r) { return r->open.count; }

int ranks_context(const Ranks *r) { return r->open.count ? ((Frame *)r->open.items[r->open.count - 1])->context : 0; }

void rank_let(Ranks *r, const Sym *sym, int rank) { *sym_rank(r, sym) = (SymRank){rank, true}; }

static int own_rank(const Ranks *r, const Sym *sym)
{
    const SymRank *s = map_get(&r->syms, sym->id);
    return s ? s->rank : 0;
}

int barrier_depth(const Ranks *r) { return own_rank(r, &effect_barrier); }

/* Of reading the variable or an element of the array. */
static int current_rank(const Ranks *r, const Sym *sym)
{
    if (sym->is_volatile)
        return ranks_depth(r);
    const Sym *sources[MOST_SOURCES];
    int n = value_sources(sym, sources), rank = 0;
    for (int i = 0; i < n; i++) {
        int of = own_rank(r, sources[i]);
        rank = of > rank ? of : rank;
    }
    return rank;
}

int rank_of(Ranks *r, Node *e)
{
    if (e->kind == N_VAR)
        return current_rank(r, e->sym);
    if (e->kind == N_INT || e->kind == N_FLOAT)
        return 0;
    int context = ranks_context(r);
    ExprRank *known = map_get(&r->exprs, e->id);
    if (known && known->context == context)
        return known->rank;
    int rank = e->kind == N_LOAD || e->kind == N_REF ? current_rank(r, e->sym) : 0;
    if (is_impure_call(e))
        rank = ranks_depth(r);
    for (int i = 0; i < e->nkids; i++) {
        int below = rank_of(r, e->kid[i]);
        rank = below > rank ? below : rank;
    }
    void **at = map_at(r->ir->scratch, &r->exprs, e->id);
    if (!*at)
        *at = arena_alloc(r->ir->scratch, sizeof(ExprRank));
    *(ExprRank *)*at = (ExprRank){context, rank};
    return rank;
}

bool rank_is_innermost(const Ranks *r, int depth) { return !((Frame *)r->open.items[depth - 1])->info->is_outer; }

void rank_sort(Arena *arena, int n, const int *rank, int *order)
{
    int deepest = 0;
    for (int i = 0; i < n; i++)
        deepest = rank[i] > deepest ? rank[i] : deepest;
    int *next = arena_new_array(arena, int, deepest + 2); /* next[k]: where the next index of rank k goes */
    for (int i = 0; i < n; i++)
        next[rank[i] + 1]++;
    for (int k = 0; k < deepest; k++)
        next[k + 1] += next[k];
    for (int i = 0; i < n; i++)
        order[next[rank[i]]++] = i;
}
