/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Collected in the order of the text; then each expression as a sum of products with constants. */
#include "depend/access.h"

#include "ir/walk.h"

enum { MAX_DEPTH = 20 };

/* ---------------------------------------------------------------- what the region does */

static void note(Accesses *s, Map *map, Node *n) { *map_at(s->ir->scratch, map, n->sym->id) = n; }

static bool note_assigned(void *user, Node *n)
{
    Accesses *s = user;
    if (n->kind == N_ASSIGN || (n->kind == N_FOR && !n->aux))
        note(s, &s->assigned, n);
    return !is_expr(n);
}

static bool note_symbol(void *user, Node *n)
{
    Accesses *s = user;
    switch ((Kind)n->kind) {
    case N_DECL:
        note(s, &s->own, n);
        note(s, &s->varies, n);
        if (n->nkids && !n->sym->rank && type_is_integer(n->sym->type) && !map_get(&s->assigned, n->sym->id))
            *map_at(s->ir->scratch, &s->defs, n->sym->id) = n->kid[0];
        break;
    case N_FOR:
        if (n->aux)
            note(s, &s->own, n);
        note(s, &s->varies, n);
        break;
    case N_ASSIGN: note(s, &s->varies, n); break;
    case N_STORE: note(s, &s->stored, n); break;
    default: break;
    }
    return !is_expr(n);
}

typedef struct Loads {
    Accesses *search;
    Node *stmt;
    const Path *path;
} Loads;

static void add_access(Accesses *s, Node *node, Node *stmt, const Path *path)
{
    if (map_get(&s->own, node->sym->id) || !map_get(&s->stored, node->sym->id))
        return;
    for (int i = s->all.count - 1; i >= 0 && i >= s->all.count - 8; i--) {
        const Access *a = s->all.items[i];
        if (a->node == node && a->path == path)
            return;
    }
    Access *a = arena_alloc(s->ir->arena, sizeof *a);
    *a = (Access){node, stmt, path};
    vec_push(s->ir->arena, &s->all, a);
}

static bool note_load(void *user, Node *n)
{
    const Loads *l = user;
    if (n->kind == N_LOAD)
        add_access(l->search, n, l->stmt, l->path);
    return true;
}

static void note_loads(Accesses *s, Node *e, Node *stmt, const Path *path)
{
    Loads l = {s, stmt, path};
    walk(&(Walker){.pre = note_load, .user = &l}, e);
}

static const Path *path_new(Accesses *s, Path path)
{
    Path *p = arena_alloc(s->ir->arena, sizeof *p);
    *p = path;
    return p;
}

static void note_accesses(Accesses *s, Node *n, const Path *path)
{
    switch ((Kind)n->kind) {
    case N_FOR:
        note_loads(s, n->kid[0], n, path);
        path = path_new(s, (Path){path, .loop = n});
        note_loads(s, n->kid[1], n, path);
        note_accesses(s, n->kid[2], path);
        break;
    case N_IF:
        note_loads(s, n->kid[0], n, path);
        for (int i = 1; i < n->nkids; i++)
            note_accesses(s, n->kid[i], path_new(s, (Path){path, .condition = n->kid[0], .negated = i == 2}));
        break;
    case N_BLOCK:
        for (int i = 0; i < n->nkids; i++)
            note_accesses(s, n->kid[i], path);
        break;
    case N_STORE:
        note_loads(s, stmt_value(n), n, path);
        for (int i = 0; i < n->nkids - 1; i++)
            note_loads(s, n->kid[i], n, path);
        add_access(s, n, n, path);
        break;
    case N_DECL:
    case N_ASSIGN:
        for (int i = 0; i < n->nkids; i++)
            note_loads(s, n->kid[i], n, path);
        break;
    default: s->failed = true;
    }
}

/* ---------------------------------------------------------------- expressions as linear forms */

typedef struct Invariance {
    const Accesses *s;
    bool yes;
} Invariance;

static bool invariance_pre(void *user, Node *n)
{
    Invariance *v = user;
    if (n->kind == N_VAR && map_get(&v->s->varies, n->sym->id))
        v->yes = false;
    if (n->kind == N_LOAD && (map_get(&v->s->stored, n->sym->id) || map_get(&v->s->own, n->sym->id)))
        v->yes = false;
    return v->yes;
}

/* Has the product of these atoms one value as long as the region runs? */
static bool is_invariant(const Accesses *s, const Term *t)
{
    Invariance v = {s, true};
    for (int i = 0; i < t->natoms; i++)
        walk(&(Walker){.pre = invariance_pre, .user = &v}, t->atoms[i]);
    return v.yes;
}

static Node *fill_post(void *user, Node *n)
{
    const Accesses *s = user;
    Node *value = n->kind == N_VAR ? map_get(&s->defs, n->sym->id) : NULL;
    return value ? value : n;
}

Node *access_value(Accesses *s, Node *e)
{
    Rewriter r = {.ir = s->ir, .post = fill_post, .user = s};
    for (int i = 0; i < MAX_DEPTH; i++) {
        Node *filled = rewrite(&r, e);
        if (filled == e || node_count_exceeds(filled, 400))
            return e;
        e = filled;
    }
    return e;
}

static const Node *loop_on_path(const Path *path, const Sym *var)
{
    for (; path; path = path->outer)
        if (path->loop && path->loop->sym == var && path->loop->aux)
            return path->loop;
    return NULL;
}

bool poly_is_invariant(const Accesses *s, const Poly *p)
{
    bool yes = true;
    for (int i = 0; i < p->nterms; i++)
        yes = yes && is_invariant(s, &p->terms[i]);
    return yes;
}

bool access_form(Accesses *s, System *sys, int side, const Path *path, Node *e, Form *form)
{
    return poly_form(s, sys, side, path, poly_of(s->ir, access_value(s, e)), form);
}

bool poly_form(Accesses *s, System *sys, int side, const Path *path, const Poly *p, Form *form)
{
    *form = (Form){{0}, 0};
    for (int i = 0; i < p->nterms; i++) {
        const Term *t = &p->terms[i];
        int64_t coef = (int64_t)t->coef;
        if (coef < INT32_MIN || coef > INT32_MAX)
            return false;
        if (t->natoms == 0) {
            form->constant = coef;
            continue;
        }
        const Node *atom = t->natoms == 1 ? t->atoms[0] : NULL;
        while (atom && atom->kind == N_CAST && converts_to_index(atom))
            atom = atom->kid[0];
        int dim = -1;
        if (atom && atom->kind == N_VAR && loop_on_path(path, atom->sym))
            dim = system_iterator(sys, side, atom->sym);
        else if (is_invariant(s, t))
            dim = system_parameter(sys, t->atoms, t->natoms);
        if (dim < 0)
            return false;
        form->coef[dim] += coef;
    }
    return true;
}

static bool see_unsigned(void *user, Node *n)
{
    (void)user;
    return type_is_integer((Type)n->type) && !type_is_signed((Type)n->type);
}

/* A remainder, as a subscript; NULL: it is something else, or of what may have wrapped around. */
static const Node *remainder_of(Accesses *s, Node *e)
{
    e = access_value(s, e);
    while (e->kind == N_CAST && converts_to_index(e))
        e = e->kid[0];
    if (e->kind != N_MOD || e->kid[1]->kind != N_INT || e->kid[1]->u.i <= 1)
        return NULL;
    return any_node(e, see_unsigned, NULL) ? NULL : e;
}

bool remainders_differ(Accesses *s, Node *a, Node *b)
{
    const Node *x = remainder_of(s, a), *y = remainder_of(s, b);
    int64_t apart;
    if (!x || !y || x->kid[1]->u.i != y->kid[1]->u.i)
        return false;
    const Poly *p = poly_of(s->ir, x->kid[0]), *q = poly_of(s->ir, y->kid[0]);
    return poly_is_invariant(s, p) && poly_const(poly_sub(s->ir, p, q), &apart) && apart % x->kid[1]->u.i != 0;
}

/* ---------------------------------------------------------------- constraints */

/* Unsigned arithmetic of 64 bits is exact modulo 2^64 only: good for subscripts, not for comparisons. */
static bool compares_exactly(const Node *e) { return type_is_integer(e->type) && (type_is_signed(e->type) || type_bits(e->type) < 64); }

/* Adds "a cmp b"; what has no linear form adds nothing. What is below the least of two is below both. */
static void add_comparison(Accesses *s, System *sys, int side, const Path *path, Kind cmp, Node *a, Node *b)
{
    Form x, y;
    if (b->kind == (cmp == N_LT || cmp == N_LE ? N_MIN : cmp == N_GT || cmp == N_GE ? N_MAX : N_NONE)) {
        add_comparison(s, sys, side, path, cmp, a, b->kid[0]);
        add_comparison(s, sys, side, path, cmp, a, b->kid[1]);
    }
    if (!compares_exactly(a) || !compares_exactly(b) || !access_form(s, sys, side, path, a, &x) || !access_form(s, sys, side, path, b, &y))
        return;
    switch (cmp) {
    case N_LT: system_at_least(sys, form_sub(&y, &x), 1); break;
    case N_LE: system_at_least(sys, form_sub(&y, &x), 0); break;
    case N_GT: system_at_least(sys, form_sub(&x, &y), 1); break;
    case N_GE: system_at_least(sys, form_sub(&x, &y), 0); break;
    case N_EQ: system_equal(sys, form_sub(&x, &y)); break;
    default: break;
    }
}

static Kind negation(Kind cmp)
{
    switch (cmp) {
    case N_LT: return N_GE;
    case N_LE: return N_GT;
    case N_GT: return N_LE;
    case N_GE: return N_LT;
    case N_NE: return N_EQ;
    default: return N_NONE;
    }
}

static void add_condition(Accesses *s, System *sys, int side, const Path *path, Node *e, bool negated)
{
    while (e->kind == N_CAST && (e->kid[0]->type == T_BOOL || kind_info[e->kid[0]->kind].flags & F_REL))
        e = e->kid[0];
    if (e->kind == N_LNOT) {
        add_condition(s, sys, side, path, e->kid[0], !negated);
    } else if (e->kind == (negated ? N_LOR : N_LAND)) {
        add_condition(s, sys, side, path, e->kid[0], negated);
        add_condition(s, sys, side, path, e->kid[1], negated);
    } else if (kind_info[e->kind].flags & F_REL && e->nkids == 2 && e->kind != N_LAND && e->kind != N_LOR) {
        add_comparison(s, sys, side, path, negated ? negation((Kind)e->kind) : (Kind)e->kind, e->kid[0], e->kid[1]);
    }
}

/* The loop's variable is lo + step * k with k >= 0, on this side of its bound. */
static void add_loop(Accesses *s, System *sys, int side, const Path *path)
{
    Bounds b;
    Form lo, var;
    Node *v = mk_var(s->ir, path->loop->sym);
    if (!path->loop->aux || !for_bounds(path->loop, &b) || !access_form(s, sys, side, path, v, &var))
        return;
    const bool counts = bounds_count(&b);
    if ((counts || b.cmp != N_NE) && compares_exactly(v) && access_form(s, sys, side, path->outer, b.lo, &lo) && b.step >= INT32_MIN &&
        b.step <= INT32_MAX) {
        Form ahead = b.step > 0 ? form_sub(&var, &lo) : form_sub(&lo, &var);
        int64_t stride = b.step > 0 ? b.step : -b.step;
        if (stride == 1)
            system_at_least(sys, ahead, 0);
        else
            system_multiple(sys, ahead, stride);
    }
    add_comparison(s, sys, side, path, counts && b.cmp == N_NE ? (b.step > 0 ? N_LT : N_GT) : b.cmp, v, b.hi);
}

void add_path(Accesses *s, System *sys, int side, const Path *path)
{
    for (; path; path = path->outer) {
        if (path->loop)
            add_loop(s, sys, side, path);
        else
            add_condition(s, sys, side, path->outer, path->condition, path->negated);
    }
}

Accesses find_accesses(Ir *ir, Node *region)
{
    Accesses s = {.ir = ir};
    walk(&(Walker){.pre = note_assigned, .user = &s}, region);
    walk(&(Walker){.pre = note_symbol, .user = &s}, region);
    note_accesses(&s, region, NULL);
    return s;
}
