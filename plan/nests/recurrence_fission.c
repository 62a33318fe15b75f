/* SPDX-License-Identifier: GPL-3.0-or-later */
/* A loop's statements go to several loops: those that only the recurrence waits for, the recurrence, those that wait for it, and stores to
 * what earlier iterations read (node splitting). */
#include "plan/nests/recurrence_fission.h"

#include "depend/index.h"
#include "depend/parallel.h"
#include "depend/poly.h"
#include "depend/reduce.h"
#include "depend/scan.h"
#include "ir/walk.h"
#include "plan/nests/anti_dependence.h"
#include "plan/nests/loop_utils.h"
#include "plan/nests/recurrence_work.h"

enum {
    STRIP = 256,         /* iterations whose values wait in the caches */
    MOST_STATEMENTS = 64,
    MOST_BUFFERS = 8,    /* no more than half of a core's first cache */
    WORTH = 5,           /* operations that are worth a loop of their own */
    CHEAP = 2,           /* operations that are done again rather than handed over */
    ISSUE = 3,           /* operations of a cycle */
    LANES = 4            /* at least, of vectors */
};

typedef enum Part { EARLY, RECURRENCE, LATE, STORES, PARTS } Part;

typedef struct Fission {
    Ir *ir;
    bool strict;
    Node *loop, *trips;
    Node *stmt[MOST_STATEMENTS];
    int count;
    bool full; /* there were more statements than there is room for */
    bool ordered[MOST_STATEMENTS]; /* belongs to the recurrence, or makes what that reads */
    bool pure[MOST_STATEMENTS];    /* declares what does not depend on earlier iterations */
    bool early[MOST_STATEMENTS];   /* ... and is in the first loop */
    bool stores[MOST_STATEMENTS];  /* stores what has to wait until other iterations have read */
    Vec carried;                   /* Sym *: outlive an iteration, and are more than reductions */
    Vec list[PARTS];               /* statements of each loop */
    Vec buffers;                   /* N_DECL */
    Map current[PARTS];            /* by symbol id: what its value is read from in that loop, where it was made in another */
    Node *at;                      /* an iteration's element of the buffers */
    bool reads_ahead; /* a part would read what a later one makes */
} Fission;

/* ---------------------------------------------------------------- what the recurrence consists of */

static bool is_among(const Vec *syms, const Sym *sym)
{
    for (int i = 0; i < syms->count; i++)
        if (syms->items[i] == sym)
            return true;
    return false;
}

static bool search_declaration(void *user, Node *n)
{
    const Sym **sym = user;
    if (n->kind == N_DECL && n->sym == *sym)
        *sym = NULL;
    return *sym && !is_expr(n);
}

static bool is_declared(Node *body, const Sym *sym)
{
    walk(&(Walker){.pre = search_declaration, .user = &sym}, body);
    return !sym;
}

/* Is it touched by one statement alone, which gathers something up in it? */
static bool is_reduction(Fission *f, const Sym *sym)
{
    const int user = only_user(f->loop->kid[2], sym);
    if (user < 0)
        return false;
    Node *kids[] = {f->loop->kid[0], f->loop->kid[1], f->stmt[user]};
    return loop_is_unordered(f->ir, with_kids(f->ir, f->loop, 3, kids), f->strict);
}

static bool note_carried(void *user, Node *n)
{
    Fission *f = user;
    if (n->kind == N_ASSIGN && !is_among(&f->carried, n->sym) && !is_declared(f->loop->kid[2], n->sym) && !is_reduction(f, n->sym))
        vec_push(f->ir->arena, &f->carried, n->sym);
    return !is_expr(n);
}

/* Does a statement of the recurrence read what the other one writes, or write to an array that the other one touches? */
static bool search_shared(void *user, Node *n)
{
    Node **other = user;
    const bool touches = n->kind == N_VAR || n->kind == N_LOAD || n->kind == N_STORE || n->kind == N_ASSIGN;
    if (*other && touches && (writes_sym(*other, n->sym) || (n->kind == N_STORE && uses_sym(*other, n->sym))))
        *other = NULL;
    return *other != NULL;
}

static bool shares(Node *ordered, Node *other)
{
    walk(&(Walker){.pre = search_shared, .user = &other}, ordered);
    return !other;
}

static void find_recurrence(Fission *f)
{
    walk(&(Walker){.pre = note_carried, .user = f}, f->loop->kid[2]);
    for (int i = 0; i < f->count; i++)
        for (int c = 0; c < f->carried.count; c++)
            f->ordered[i] = f->ordered[i] || writes_sym(f->stmt[i], f->carried.items[c]);
    for (bool changed = true; changed;) {
        changed = false;
        for (int i = 0; i < f->count; i++)
            for (int j = 0; j < f->count && !f->ordered[i]; j++)
                if (f->ordered[j] && shares(f->stmt[j], f->stmt[i]))
                    changed = f->ordered[i] = true;
    }
}

/* ---------------------------------------------------------------- what does not wait for it */

typedef struct Purity {
    Fission *f;
    int before; /* statements in front */
    bool pure;
} Purity;

static int writers(const Fission *f, const Sym *sym)
{
    int n = 0;
    for (int i = 0; i < f->count; i++)
        n += writes_sym(f->stmt[i], sym);
    return n;
}

/* The statement that declares the symbol, if nothing else assigns it; -1: there is none. */
static int declaration_of(const Fission *f, const Sym *sym)
{
    for (int i = 0; i < f->count; i++)
        if (f->stmt[i]->kind == N_DECL && f->stmt[i]->sym == sym)
            return f->stmt[i]->nkids == 1 && writers(f, sym) == 1 ? i : -1;
    return -1;
}

static bool look_for_state(void *user, Node *n)
{
    Purity *p = user;
    if (n->kind == N_LOAD)
        p->pure = p->pure && writers(p->f, n->sym) == 0;
    if (n->kind == N_VAR && writers(p->f, n->sym)) {
        const int i = declaration_of(p->f, n->sym);
        p->pure = p->pure && i >= 0 && i < p->before && p->f->pure[i];
    }
    return p->pure;
}

static bool is_pure(Fission *f, int before, Node *e)
{
    Purity p = {f, before, true};
    walk(&(Walker){.pre = look_for_state, .user = &p}, e);
    return p.pure;
}

static bool reads_var(Node *e, const Sym *var) { return uses_sym(e, var) || reads_array(e, NULL); }

static void find_pure(Fission *f)
{
    for (int i = 0; i < f->count; i++) {
        const Node *n = f->stmt[i];
        f->pure[i] = n->kind == N_DECL && n->nkids && declaration_of(f, n->sym) == i && is_pure(f, i, n->kid[0]);
    }
}

/* One more statement, if there is room. */
static void append(Fission *f, Node *stmt, bool ordered, bool stores)
{
    f->full = f->full || f->count == MOST_STATEMENTS;
    if (f->full)
        return;
    f->ordered[f->count] = ordered;
    f->stores[f->count] = stores;
    f->stmt[f->count++] = stmt;
}

typedef struct Hoist {
    Fission *before, *f;
    int at; /* the statement's number, before */
} Hoist;

/* Expressions that are evaluated in every iteration and need no carried scalar get names. */
static Node *hoist(void *user, Node *n)
{
    Hoist *h = user;
    Ir *ir = h->f->ir;
    if (!is_expr(n))
        return n->kind == N_IF || n->kind == N_FOR ? n : NULL;
    if (n->kind == N_SEL || kind_info[n->kind].flags & F_LAZY)
        return n;
    if (operations(h->f->loop, n) < WORTH || !reads_var(n, h->f->loop->sym) || !is_pure(h->before, h->at, n))
        return NULL;
    Sym *sym = sym_new(ir, S_LOCAL, (Type)n->type, "early", n->loc);
    sym->is_const = true;
    append(h->f, mk_decl(ir, sym, n, n->loc), true, false);
    return mk_var(ir, sym);
}

/* Puts such names in front of the statements of the recurrence. */
static void name_early(Fission *f)
{
    Fission before = *f;
    f->count = 0;
    for (int i = 0; i < before.count; i++) {
        Hoist h = {&before, f, i};
        Node *stmt = before.stmt[i];
        if (before.ordered[i] && !before.pure[i])
            stmt = rewrite(&(Rewriter){.ir = f->ir, .pre = hoist, .user = &h}, stmt);
        append(f, stmt, before.ordered[i], before.stores[i]);
    }
}

static bool is_cheap(const Fission *f, int i) { return f->pure[i] && operations(f->loop, f->stmt[i]) <= CHEAP; }

/* Pure declarations of much work, and what they need. */
static void find_early(Fission *f)
{
    for (int i = f->count - 1; i >= 0; i--) {
        bool needed = operations(f->loop, f->stmt[i]) >= WORTH;
        for (int j = i + 1; j < f->count && !needed; j++)
            needed = f->early[j] && uses_sym(f->stmt[j], f->stmt[i]->sym);
        f->early[i] = f->ordered[i] && f->pure[i] && needed && reads_var(f->stmt[i]->kid[0], f->loop->sym);
    }
}

/* ---------------------------------------------------------------- what has to wait */

/* Takes stores apart from what they store, where earlier iterations read the elements. */
static void separate_stores(Fission *f)
{
    Ir *ir = f->ir;
    const Fission before = *f;
    f->count = 0;
    for (int i = 0; i < before.count; i++) {
        Node *stmt = before.stmt[i];
        const bool waits = stmt->kind == N_STORE && !before.ordered[i] && has_anti_dependences(ir, f->loop, stmt);
        if (waits) {
            Sym *value = sym_new(ir, S_LOCAL, stmt->sym->type, stmt->sym->name, stmt->loc);
            value->is_const = true;
            append(f, mk_decl(ir, value, stmt_value(stmt), stmt->loc), false, false);
            stmt = mk_store(ir, stmt->sym, stmt->sym->rank, stmt->kid, mk_var(ir, value), N_NONE, stmt->loc);
        }
        append(f, stmt, before.ordered[i], waits);
    }
}

/* ---------------------------------------------------------------- loops */

static Part part_of(const Fission *f, int i) { return f->early[i] ? EARLY : f->ordered[i] ? RECURRENCE : f->stores[i] ? STORES : LATE; }

static bool needs(const Fission *f, Part part, const Sym *sym)
{
    for (int i = 0; i < f->count; i++) {
        Node *n = f->stmt[i];
        const bool uses = uses_sym(n, sym) && !(n->kind == N_DECL && n->sym == sym);
        if (uses && (part_of(f, i) == part || (is_cheap(f, i) && n->sym != sym && needs(f, part, n->sym))))
            return true;
    }
    return false;
}

/* The element of a new buffer that gets what the symbol is worth behind the statements of `from` so far. */
static Node *handed_over(Fission *f, Sym *sym, Part from)
{
    Ir *ir = f->ir;
    Node *extent = ix_int(ir, STRIP);
    Sym *buffer = sym_new_array(ir, S_LOCAL_ARRAY, sym->type, sym->name, 1, &extent, sym->loc);
    vec_push(ir->arena, &f->buffers, mk_decl(ir, buffer, NULL, sym->loc));
    vec_push(ir->arena, &f->list[from], mk_store(ir, buffer, 1, &f->at, mk_var(ir, sym), N_NONE, sym->loc));
    return mk_load(ir, buffer, 1, &f->at);
}

typedef struct Reading {
    Fission *f;
    Part part;
} Reading;

/* The part that makes the symbol's value; PARTS: the loop does not. */
static Part maker_of(const Fission *f, const Sym *sym)
{
    for (int i = 0; i < f->count; i++)
        if (writes_sym(f->stmt[i], sym))
            return part_of(f, i);
    return PARTS;
}

static Node *read_from(void *user, Node *n)
{
    const Reading *r = user;
    Fission *f = r->f;
    if (n->kind != N_VAR)
        return n;
    const Part maker = maker_of(f, n->sym);
    const int decl = declaration_of(f, n->sym);
    f->reads_ahead = f->reads_ahead || (maker > r->part && maker != PARTS && !(decl >= 0 && is_cheap(f, decl)));
    if (maker >= r->part || (decl >= 0 && is_cheap(f, decl)))
        return n;
    void **known = map_at(f->ir->arena, &f->current[r->part], n->sym->id);
    if (!*known) {
        *known = handed_over(f, n->sym, maker);
        for (int part = 0; part < PARTS; part++)
            *map_at(f->ir->arena, &f->current[part], n->sym->id) = *known;
    }
    return *known;
}

static bool forget(void *user, Node *n)
{
    Fission *f = user;
    if (n->kind == N_ASSIGN)
        for (int part = 0; part < PARTS; part++)
            *map_at(f->ir->arena, &f->current[part], n->sym->id) = NULL;
    return !is_expr(n);
}

/* The statement in each loop that needs it. */
static void place(Fission *f, int i)
{
    const Part own = part_of(f, i);
    for (int part = 0; part < PARTS; part++) {
        const bool again = is_cheap(f, i) && needs(f, (Part)part, f->stmt[i]->sym);
        if (part != (int)own && !again)
            continue;
        Reading r = {f, (Part)part};
        Node *stmt = rewrite(&(Rewriter){.ir = f->ir, .post = read_from, .user = &r}, f->stmt[i]);
        vec_push(f->ir->arena, &f->list[part], stmt);
    }
    walk(&(Walker){.pre = forget, .user = f}, f->stmt[i]);
}

static Node *strip_loop(Fission *f, Part part, Node *from, Node *to)
{
    Ir *ir = f->ir;
    const Vec *list = &f->list[part];
    Node *body = mk_block(ir, list->count, (Node **)list->items, f->loop->loc);
    return copy_with_own_symbols(ir, some_iterations(ir, f->loop, from, to, body));
}

/* Are the iterations of all loops but the recurrence without order? */
static bool are_unordered(Fission *f, Node *from, Node *to)
{
    for (int part = 0; part < PARTS; part++)
        if (part != RECURRENCE && f->list[part].count && !loop_is_unordered(f->ir, strip_loop(f, (Part)part, from, to), f->strict))
            return false;
    return true;
}

static Node *several_loops(Fission *f)
{
    Ir *ir = f->ir;
    Bounds b;
    Vec around = {0}, out = {0};
    for_bounds(f->loop, &b);
    Node *trips = name_index(ir, &out, "rows", f->trips);
    Sym *row = sym_new(ir, S_LOOP, T_INDEX, "row", f->loop->loc);
    Node *from = mk_var(ir, row), *to = ix_min(ir, ix_add(ir, from, ix_int(ir, STRIP)), trips);
    f->at = ix_sub(ir, ix_sub(ir, widen(ir, mk_var(ir, b.var)), widen(ir, b.lo)), from);
    for (int i = 0; i < f->count; i++)
        place(f, i);
    if (f->reads_ahead || f->buffers.count > MOST_BUFFERS || !are_unordered(f, from, to))
        return NULL;
    for (int i = 0; i < f->buffers.count; i++)
        vec_push(ir->arena, &around, f->buffers.items[i]);
    for (int part = 0; part < PARTS; part++)
        if (f->list[part].count)
            vec_push(ir->arena, &around, strip_loop(f, (Part)part, from, to));
    Node *body = mk_block(ir, around.count, (Node **)around.items, f->loop->loc);
    vec_push(ir->arena, &out, mk_for(ir, row, ix_int(ir, 0), mk_binary(ir, N_LT, from, trips), STRIP, body, true, f->loop->loc));
    return mk_block(ir, out.count, (Node **)out.items, f->loop->loc);
}

/* ---------------------------------------------------------------- is it worth while? */

static double larger(double a, double b) { return a > b ? a : b; }

/* Processors do all that is not the recurrence while that waits for itself. */
static bool pays(Fission *f)
{
    Node *chain[MOST_STATEMENTS];
    double work[PARTS] = {0};
    int n = 0;
    for (int i = 0; i < f->count; i++) {
        const Part part = part_of(f, i);
        work[part] += operations(f->loop, f->stmt[i]);
        if (part == RECURRENCE)
            chain[n++] = f->stmt[i];
        else if (!is_along(f->ir, f->loop->sym, f->stmt[i]))
            return false;
    }
    const double latency = carried_latency(f->ir, chain, n, (Sym **)f->carried.items, f->carried.count);
    const double aside = work[EARLY] + work[LATE] + work[STORES];
    const double handed = (work[EARLY] > 0) + (work[STORES] > 0) + (n > 0);
    const double before = larger(latency, (work[RECURRENCE] + aside) / ISSUE);
    const double after = larger(latency, (work[RECURRENCE] + (n > 0)) / ISSUE) + (aside + 2 * handed) / LANES / ISSUE;
    return (n == 0 || aside >= WORTH) && 5 * after < 4 * before;
}

static bool search_write(void *user, Node *n)
{
    Node **body = user;
    if (*body && (n->kind == N_LOAD || (n->kind == N_VAR && writes_sym(*body, n->sym))))
        *body = NULL;
    return *body != NULL;
}

/* Is the bound the same before every iteration? */
static bool is_stable(Node *bound, Node *body)
{
    walk(&(Walker){.pre = search_write, .user = &body}, bound);
    return body != NULL;
}

static bool fits(Fission *f)
{
    Bounds b;
    Node *loop = f->loop, *body = loop->kid[2];
    if (!loop_declares(loop) || !for_bounds(loop, &b) || b.step != 1 || !type_is_signed(b.var->type) || type_bits(b.var->type) < 32 ||
        body->kind != N_BLOCK || body->nkids > MOST_STATEMENTS || has_kind(body, N_FOR) || has_stage(body) || !is_stable(b.lo, body) ||
        !is_stable(b.hi, body))
        return false;
    for (int i = 0; i < body->nkids; i++) {
        f->stmt[f->count++] = body->kid[i];
        if (body->kid[i]->kind == N_DECL && body->kid[i]->sym->rank)
            return false;
    }
    f->trips = trip_count(f->ir, loop);
    return f->trips && !loop_is_unordered(f->ir, loop, f->strict) && !loop_is_scan(f->ir, loop, f->strict);
}

static Node *split(Ir *ir, Node *loop, bool strict)
{
    Fission f = {.ir = ir, .loop = loop, .strict = strict};
    if (!fits(&f))
        return loop;
    find_recurrence(&f);
    separate_stores(&f);
    find_pure(&f);
    name_early(&f);
    find_pure(&f);
    find_early(&f);
    if (f.full)
        return loop;
    Node *loops = pays(&f) ? several_loops(&f) : NULL;
    return loops ? loops : loop;
}

typedef struct Nest {
    Ir *ir;
    bool strict;
} Nest;

static Node *enter(void *user, Node *n)
{
    const Nest *nest = user;
    if (is_expr(n))
        return n;
    return n->kind == N_FOR && !has_kind(n->kid[2], N_FOR) ? split(nest->ir, n, nest->strict) : NULL;
}

Node *split_recurrences(Ir *ir, Node *nest, bool strict)
{
    Nest n = {ir, strict};
    return rewrite(&(Rewriter){.ir = ir, .pre = enter, .user = &n}, nest);
}
