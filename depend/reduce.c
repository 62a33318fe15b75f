/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Recognises a loop's reductions: sums, products, extremes, choices with the place they come from. */
#include "depend/reduce.h"

#include <string.h>

#include "depend/parallel.h"
#include "ir/walk.h"

typedef struct Finding {
    Ir *ir;
    Node *loop;
    bool strict;
    Vec *found;
    Vec choices; /* every if (e > s) s = e */
    const char *why;
} Finding;

static bool refuse(Finding *f, const Sym *acc, const char *because)
{
    if (!f->why)
        f->why = arena_printf(f->ir->arena, "%s %s", acc->name, because);
    return false;
}

static Reduction *reduction_of(const Finding *f, const Sym *acc)
{
    for (int i = 0; i < f->found->count; i++) {
        Reduction *r = f->found->items[i];
        if (r->acc == acc)
            return r;
        for (int j = 0; j < r->nothers; j++)
            if (r->others[j] == acc)
                return r;
    }
    return NULL;
}

/* ---------------------------------------------------------------- forms of s = s op e */

/* Is `e` the scalar with something added or subtracted, one after the other, in the scalar's type? */
static bool is_running_sum(Node *e, const Sym *acc)
{
    while ((e->kind == N_ADD || e->kind == N_SUB) && (Type)e->type == acc->type) {
        Node *a = e->kid[0], *b = e->kid[1];
        if (a->kind == N_VAR && a->sym == acc)
            return !uses_sym(b, acc);
        if (e->kind == N_ADD && b->kind == N_VAR && b->sym == acc)
            return !uses_sym(a, acc);
        if (uses_sym(b, acc))
            return false;
        e = a;
    }
    return false;
}

/* The other operand of a commutative operation on the scalar; NULL when it is none. */
static Node *other_operand(Node *e, const Sym *acc)
{
    if (e->nkids != 2)
        return NULL;
    for (int i = 0; i < 2; i++)
        if (e->kid[i]->kind == N_VAR && e->kid[i]->sym == acc && !uses_sym(e->kid[1 - i], acc))
            return e->kid[1 - i];
    return NULL;
}

static ReduceOp of_operator(Node *e, const Sym *acc)
{
    static const struct {
        Kind kind;
        ReduceOp op;
    } ops[] = {{N_MUL, RED_PRODUCT}, {N_AND, RED_AND}, {N_OR, RED_OR}, {N_XOR, RED_XOR}, {N_LAND, RED_ALL}, {N_LOR, RED_ANY}};
    for (size_t i = 0; i < sizeof ops / sizeof *ops; i++)
        if (e->kind == ops[i].kind && other_operand(e, acc))
            return ops[i].op;
    return RED_NONE;
}

static ReduceOp of_call(Node *e, const Sym *acc)
{
    if (e->kind != N_CALL || !e->sym->libm || !other_operand(e, acc))
        return RED_NONE;
    const char *name = e->sym->name;
    if (strcmp(name, acc->type == T_FLOAT ? "fmaxf" : "fmax") == 0)
        return RED_FMAX;
    return strcmp(name, acc->type == T_FLOAT ? "fminf" : "fmin") == 0 ? RED_FMIN : RED_NONE;
}

/* Does `cond` say that `e` is greater, or less, than the scalar? Then a value that is no number never enters. */
static ReduceOp of_comparison(const Node *cond, const Node *e, const Node *held, bool strictly)
{
    while (cond->kind == N_CAST && cond->kid[0]->nkids == 2)
        cond = cond->kid[0];
    if (cond->nkids != 2)
        return RED_NONE;
    bool turned = cond->kid[0] == held && cond->kid[1] == e;
    if (!turned && !(cond->kid[0] == e && cond->kid[1] == held))
        return RED_NONE;
    bool greater = cond->kind == N_GT || (cond->kind == N_GE && !strictly);
    bool less = cond->kind == N_LT || (cond->kind == N_LE && !strictly);
    return greater ? (turned ? RED_LEAST : RED_GREATEST) : less ? (turned ? RED_GREATEST : RED_LEAST) : RED_NONE;
}

/* e > s ? e : s. The contrary, s > e ? s : e, takes what is no number in, and then the order decides. */
static ReduceOp of_select(Node *e, const Sym *acc)
{
    if (e->kind != N_SEL)
        return RED_NONE;
    Node *a = e->kid[1], *b = e->kid[2];
    if (b->kind == N_VAR && b->sym == acc && !uses_sym(a, acc))
        return of_comparison(e->kid[0], a, b, false);
    if (a->kind != N_VAR || a->sym != acc || uses_sym(b, acc) || !type_is_integer(acc->type))
        return RED_NONE;
    ReduceOp kept = of_comparison(e->kid[0], a, b, false);
    return kept;
}

static ReduceOp of_assignment(Node *value, const Sym *acc)
{
    ReduceOp op = is_running_sum(value, acc) ? RED_SUM : of_operator(value, acc);
    op = op ? op : of_call(value, acc);
    return op ? op : of_select(value, acc);
}

/* ---------------------------------------------------------------- places */

static Node *only_one(Node *n)
{
    while (n->kind == N_BLOCK && n->nkids == 1)
        n = n->kid[0];
    return n;
}

/* The statements of a branch: assignments to different scalars that do not read one another; their number, 0 for others. */
static int assignments(Node *branch, Node **out, int most)
{
    Node *n = only_one(branch);
    int count = n->kind == N_BLOCK ? n->nkids : 1;
    if (count > most)
        return 0;
    for (int i = 0; i < count; i++) {
        out[i] = n->kind == N_BLOCK ? n->kid[i] : n;
        if (out[i]->kind != N_ASSIGN)
            return 0;
        for (int j = 0; j < i; j++)
            if (out[j]->sym == out[i]->sym || uses_sym(out[i]->kid[0], out[j]->sym) || uses_sym(out[j]->kid[0], out[i]->sym))
                return 0;
    }
    return count;
}

/* if (e > s) { s = e; p = ...; }, or if (a[j] > a[p]) p = j. */
static Reduction *of_choice(Finding *f, Node *n)
{
    enum { MOST = 4 };
    Node *set[MOST], *cond = n->kid[0];
    int count = assignments(n->kid[1], set, MOST);
    while (cond->kind == N_CAST && cond->kid[0]->nkids == 2)
        cond = cond->kid[0];
    if (!count || n->nkids != 2 || cond->nkids != 2)
        return NULL;
    Reduction *r = arena_alloc(f->ir->arena, sizeof *r);
    r->choice = n;
    r->others = arena_new_array(f->ir->arena, Sym *, MOST);
    for (int side = 0; side < 2; side++) {
        Node *e = cond->kid[side], *held = cond->kid[1 - side];
        ReduceOp op = of_comparison(cond, e, held, true);
        Node *there = e; /* e where the scalars that are assigned have their new values */
        r->acc = NULL, r->nothers = 0, r->value = e, r->held = held;
        bool fits = op != RED_NONE;
        for (int i = 0; i < count; i++) {
            if (held->kind == N_VAR && set[i]->sym == held->sym && set[i]->kid[0] == e)
                r->acc = set[i]->sym;
            else
                r->others[r->nothers++] = set[i]->sym;
            fits = fits && !uses_sym(e, set[i]->sym) && !uses_sym(set[i]->kid[0], set[i]->sym);
        }
        if (fits && !r->acc && count == 1 && held->kind == N_LOAD && set[0]->kid[0]->kind == N_VAR) {
            there = substitute(f->ir, e, set[0]->kid[0]->sym, mk_var(f->ir, set[0]->sym));
            fits = there == held && !writes_sym(f->loop, held->sym);
        } else {
            fits = fits && r->acc != NULL;
        }
        if (fits) {
            r->op = op == RED_GREATEST ? RED_FIRST_GREATEST : RED_FIRST_LEAST;
            return r;
        }
    }
    return NULL;
}

/* ---------------------------------------------------------------- all of a loop */

static bool is_reorderable(Finding *f, const Sym *acc, ReduceOp op)
{
    bool narrow = type_bytes(acc->type) < 4 || acc->type == T_LDOUBLE, first = op >= RED_FIRST_GREATEST;
    if (narrow)
        return refuse(f, acc,
                      arena_printf(f->ir->arena, "is of type %s, in which nothing is reduced: %s would do", type_spec_name(acc->type),
                                   acc->type == T_LDOUBLE     ? "double"
                                   : type_is_float(acc->type) ? "float"
                                                              : "int"));
    if (f->strict && type_is_float(acc->type) && !first)
        return refuse(f, acc, "keeps its order, as --fp=strict says");
    return true;
}

static bool note(Finding *f, Reduction r)
{
    Reduction *known = r.acc ? reduction_of(f, r.acc) : NULL;
    if (known)
        return known->op == r.op && r.op < RED_FIRST_GREATEST ? true : refuse(f, r.acc, "is reduced in several ways");
    for (int i = 0; i < r.nothers; i++)
        if (reduction_of(f, r.others[i]) || !is_reorderable(f, r.others[i], r.op))
            return refuse(f, r.others[i], "is reduced in several ways");
    if (r.acc && !is_reorderable(f, r.acc, r.op))
        return false;
    Reduction *own = arena_alloc(f->ir->arena, sizeof *own);
    *own = r;
    vec_push(f->ir->arena, f->found, own);
    return true;
}

typedef struct Outliving {
    Arena *arena;
    Map declared; /* by symbol id: the statement */
} Outliving;

static bool note_declared(void *user, Node *n)
{
    Outliving *o = user;
    if (n->kind == N_DECL || (n->kind == N_FOR && n->aux))
        *map_at(o->arena, &o->declared, n->sym->id) = n;
    return !is_expr(n);
}

/* Occurrences of the scalar in expressions, and statements that assign it. */
typedef struct Occurrences {
    const Sym *sym;
    int reads, writes;
} Occurrences;

static bool count_occurrence(void *user, Node *n)
{
    Occurrences *o = user;
    o->reads += n->kind == N_VAR && n->sym == o->sym;
    o->writes += (n->kind == N_ASSIGN || n->kind == N_FOR) && n->sym == o->sym;
    return true;
}

static int occurrences(Node *n, const Sym *sym)
{
    Occurrences o = {sym, 0, 0};
    walk(&(Walker){.pre = count_occurrence, .user = &o}, n);
    return o.reads + o.writes;
}

static bool gather(Finding *f, const Outliving *o, Node *n);

static bool gather_if(Finding *f, const Outliving *o, Node *n)
{
    Reduction *r = of_choice(f, n);
    bool outer = r && (!r->acc || !map_get(&o->declared, r->acc->id));
    for (int i = 0; r && i < r->nothers; i++)
        outer = outer && !map_get(&o->declared, r->others[i]->id);
    if (outer && r->nothers == 0) { /* if (e > s) s = e */
        r->op = r->op == RED_FIRST_GREATEST ? RED_GREATEST : RED_LEAST;
        vec_push(f->ir->arena, &f->choices, n);
        return note(f, (Reduction){.acc = r->acc, .op = r->op});
    }
    if (outer)
        return note(f, *r);
    for (int i = 1; i < n->nkids; i++)
        if (!gather(f, o, n->kid[i]))
            return false;
    return true;
}

static bool gather(Finding *f, const Outliving *o, Node *n)
{
    switch ((Kind)n->kind) {
    case N_BLOCK:
        for (int i = 0; i < n->nkids; i++)
            if (!gather(f, o, n->kid[i]))
                return false;
        return true;
    case N_FOR: return (n->aux || map_get(&o->declared, n->sym->id) || refuse(f, n->sym, "outlives its loop")) && gather(f, o, n->kid[2]);
    case N_IF: return gather_if(f, o, n);
    case N_ASSIGN: {
        if (map_get(&o->declared, n->sym->id))
            return true;
        ReduceOp op = of_assignment(n->kid[0], n->sym);
        if (!op)
            return refuse(f, n->sym, "outlives the iteration that assigns it, and is no reduction");
        return note(f, (Reduction){.acc = n->sym, .op = op});
    }
    default: return true;
    }
}

/* Uses of a scalar that its own reduction explains. */
static int explained(const Finding *f, Node *n, const Reduction *r, const Sym *sym)
{
    if (r->choice == n || (n->kind == N_ASSIGN && n->sym == sym))
        return occurrences(n, sym);
    for (int i = 0; i < f->choices.count; i++)
        if (f->choices.items[i] == n && only_one(n->kid[1])->sym == sym)
            return occurrences(n, sym);
    int sum = 0;
    for (int i = 0; i < n->nkids; i++)
        if (!is_expr(n->kid[i]))
            sum += explained(f, n->kid[i], r, sym);
    return sum;
}

bool find_reductions(Ir *ir, Node *loop, bool strict, Vec *found, const char **why)
{
    Finding f = {.ir = ir, .loop = loop, .strict = strict, .found = found};
    Outliving o = {.arena = ir->scratch};
    found->count = 0;
    walk(&(Walker){.pre = note_declared, .user = &o}, loop);
    bool ok = gather(&f, &o, loop->kid[2]);
    for (int i = 0; ok && i < found->count; i++) {
        const Reduction *r = found->items[i];
        for (int j = -1; ok && j < r->nothers; j++) {
            const Sym *sym = j < 0 ? r->acc : r->others[j];
            if (sym && explained(&f, loop, r, sym) != occurrences(loop, sym))
                ok = refuse(&f, sym, "is read before it is complete");
        }
    }
    *why = f.why;
    return ok;
}

/* With `places`: what finds the place of an extreme is a reduction, too. */
static bool is_unordered(Ir *ir, Node *loop, bool strict, bool places)
{
    enum { MOST = 16 };
    Vec found = {0};
    const char *why;
    Sym *reduced[MOST];
    int n = 0;
    if (!loop_declares(loop) || !find_reductions(ir, loop, strict, &found, &why))
        return false;
    for (int i = 0; i < found.count; i++) {
        const Reduction *r = found.items[i];
        if (n + r->nothers + 1 > MOST || (r->op >= RED_FIRST_GREATEST && !places))
            return false;
        if (r->acc)
            reduced[n++] = r->acc;
        for (int j = 0; j < r->nothers; j++)
            reduced[n++] = r->others[j];
    }
    return iterations_are_independent(ir, loop, loop, reduced, n);
}

bool loop_is_unordered(Ir *ir, Node *loop, bool strict) { return is_unordered(ir, loop, strict, true); }
bool loop_is_reversible(Ir *ir, Node *loop, bool strict) { return is_unordered(ir, loop, strict, false); }
