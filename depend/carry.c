/* Accesses of a loop body, collected with their conditions and bounds, then each pair put to isl. */
#include "depend/carry.h"

#include <ctype.h>

#include "depend/affine.h"
#include "depend/poly.h"
#include "ir/walk.h"

enum { MAX_PAIRS = 20000, MAX_DEPTH = 20 };

/* Where an access stands: loops and conditions around it, innermost first. */
typedef struct Path {
    const struct Path *outer;
    Node *loop;      /* or NULL: */
    Node *condition; /* holds here, or does not if `negated` */
    bool negated;
} Path;

typedef struct Access {
    Node *node, *stmt;
    const Path *path;
} Access;

typedef struct Search {
    Ir *ir;
    Node *region, *loop;
    Vec accesses; /* Access, in the order of the text */
    bool *stored; /* per symbol id: array stored to in the region */
    bool *own;    /* per symbol id: declared in the region */
    bool *varies; /* per symbol id: declared, assigned or looped over in the region */
    Node **defs;  /* per symbol id: the value of a scalar that is declared with it and never assigned */
    bool *assigned;
    bool failed;
} Search;

/* ---------------------------------------------------------------- what the region does */

static bool note_assigned(void *user, Node *n)
{
    Search *s = user;
    if (n->kind == N_ASSIGN || (n->kind == N_FOR && !n->aux))
        s->assigned[n->sym->id] = true;
    return !is_expr(n);
}

static bool note_symbol(void *user, Node *n)
{
    Search *s = user;
    switch ((Kind)n->kind) {
    case N_DECL:
        s->own[n->sym->id] = s->varies[n->sym->id] = true;
        if (n->nkids && !n->sym->rank && type_is_integer(n->sym->type) && !s->assigned[n->sym->id])
            s->defs[n->sym->id] = n->kid[0];
        break;
    case N_FOR:
        s->own[n->sym->id] = s->own[n->sym->id] || n->aux;
        s->varies[n->sym->id] = true;
        break;
    case N_ASSIGN: s->varies[n->sym->id] = true; break;
    case N_STORE: s->stored[n->sym->id] = true; break;
    default: break;
    }
    return !is_expr(n);
}

typedef struct Loads {
    Search *search;
    Node *stmt;
    const Path *path;
} Loads;

static void add_access(Search *s, Node *node, Node *stmt, const Path *path)
{
    if (s->own[node->sym->id] || !s->stored[node->sym->id])
        return;
    for (int i = s->accesses.count - 1; i >= 0 && i >= s->accesses.count - 8; i--) {
        const Access *a = s->accesses.items[i];
        if (a->node == node && a->path == path)
            return;
    }
    Access *a = arena_alloc(s->ir->arena, sizeof *a);
    *a = (Access){node, stmt, path};
    vec_push(s->ir->arena, &s->accesses, a);
}

static bool note_load(void *user, Node *n)
{
    const Loads *l = user;
    if (n->kind == N_LOAD)
        add_access(l->search, n, l->stmt, l->path);
    return true;
}

static void note_loads(Search *s, Node *e, Node *stmt, const Path *path)
{
    Loads l = {s, stmt, path};
    walk(&(Walker){.pre = note_load, .user = &l}, e);
}

static const Path *path_new(Search *s, Path path)
{
    Path *p = arena_alloc(s->ir->arena, sizeof *p);
    *p = path;
    return p;
}

static void note_accesses(Search *s, Node *n, const Path *path)
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
    const Search *s;
    bool yes;
} Invariance;

static bool invariance_pre(void *user, Node *n)
{
    Invariance *v = user;
    if (n->kind == N_VAR && v->s->varies[n->sym->id])
        v->yes = false;
    if (n->kind == N_LOAD && (v->s->stored[n->sym->id] || v->s->own[n->sym->id]))
        v->yes = false;
    return v->yes;
}

/* Has the product of these atoms one value as long as the region runs? */
static bool is_invariant(const Search *s, const Term *t)
{
    Invariance v = {s, true};
    for (int i = 0; i < t->natoms; i++)
        walk(&(Walker){.pre = invariance_pre, .user = &v}, t->atoms[i]);
    return v.yes;
}

static Node *fill_post(void *user, Node *n)
{
    const Search *s = user;
    return n->kind == N_VAR && s->defs[n->sym->id] ? s->defs[n->sym->id] : n;
}

/* With the values of single-valued scalars in their places. */
static Node *fill(Search *s, Node *e)
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

/* `e`, evaluated at `path` by one of the two sides, as a linear form; false when it is none. */
static bool linear_form(Search *s, System *sys, int side, const Path *path, Node *e, Form *form)
{
    const Poly *p = poly_of(s->ir, fill(s, e));
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

/* ---------------------------------------------------------------- constraints */

/* Unsigned arithmetic of 64 bits is exact modulo 2^64 only: good for subscripts, not for comparisons. */
static bool compares_exactly(const Node *e) { return type_is_integer(e->type) && (type_is_signed(e->type) || type_bits(e->type) < 64); }

/* Adds "a cmp b"; what has no linear form adds nothing. */
static void add_comparison(Search *s, System *sys, int side, const Path *path, Kind cmp, Node *a, Node *b)
{
    Form x, y;
    if (!compares_exactly(a) || !compares_exactly(b) || !linear_form(s, sys, side, path, a, &x) || !linear_form(s, sys, side, path, b, &y))
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

static void add_condition(Search *s, System *sys, int side, const Path *path, Node *e, bool negated)
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
static void add_loop(Search *s, System *sys, int side, const Path *path)
{
    Bounds b;
    Form lo, var;
    Node *v = mk_var(s->ir, path->loop->sym);
    if (!path->loop->aux || !for_bounds(path->loop, &b) || !linear_form(s, sys, side, path, v, &var))
        return;
    if (compares_exactly(v) && linear_form(s, sys, side, path->outer, b.lo, &lo) && b.step >= INT32_MIN && b.step <= INT32_MAX) {
        Form ahead = b.step > 0 ? form_sub(&var, &lo) : form_sub(&lo, &var);
        int64_t stride = b.step > 0 ? b.step : -b.step;
        if (stride == 1)
            system_at_least(sys, ahead, 0);
        else
            system_multiple(sys, ahead, stride);
    }
    bool up = b.step > 0, runs_to = b.cmp == N_NE && (b.step == 1 || b.step == -1) && type_is_signed(b.var->type);
    add_comparison(s, sys, side, path, runs_to ? (up ? N_LT : N_GT) : b.cmp, v, b.hi);
}

static void add_path(Search *s, System *sys, int side, const Path *path)
{
    for (; path; path = path->outer) {
        if (path->loop)
            add_loop(s, sys, side, path);
        else
            add_condition(s, sys, side, path->outer, path->condition, path->negated);
    }
}

/* ---------------------------------------------------------------- pairs */

/* Does a difference of subscripts say that iterations differ, or that they are never equal? */
static bool keeps_apart(const Form *difference, int ndims, int var_x, int var_y)
{
    for (int i = 0; i < ndims; i++)
        if (difference->coef[i] != 0 && i != var_x && i != var_y)
            return false;
    int64_t c = difference->coef[var_x];
    if (c == 0 && difference->coef[var_y] == 0)
        return difference->constant != 0;
    return c != 0 && c == -difference->coef[var_y] && difference->constant == 0;
}

/* Constraints for `x` and `y` touching the same element; false when they cannot. */
static bool same_element(Search *s, System *sys, const Access *x, const Access *y)
{
    int var_x = system_iterator(sys, 0, s->loop->sym), var_y = system_iterator(sys, 1, s->loop->sym);
    for (int d = 0; d < x->node->sym->rank; d++) {
        Form fx, fy;
        if (!linear_form(s, sys, 0, x->path, x->node->kid[d], &fx) || !linear_form(s, sys, 1, y->path, y->node->kid[d], &fy))
            continue;
        Form difference = form_sub(&fx, &fy);
        if (keeps_apart(&difference, sys->ndims, var_x, var_y))
            return false;
        system_equal(sys, difference);
    }
    return true;
}

/* May `x` in one iteration meet `y` in a later one? */
static bool meets_later(Search *s, const System *base, bool forward)
{
    System sys = *base;
    Form later = {{0}, 0};
    bool up = s->loop->u.i > 0;
    later.coef[system_iterator(&sys, 0, s->loop->sym)] = forward == up ? -1 : 1;
    later.coef[system_iterator(&sys, 1, s->loop->sym)] = forward == up ? 1 : -1;
    system_at_least(&sys, later, 1);
    return !system_is_empty(&sys);
}

static void conflict(Carried *why, const Access *from, const Access *to)
{
    *why = (Carried){.from = from->node, .to = to->node, .from_stmt = from->stmt, .to_stmt = to->stmt};
}

static bool pair_meets(Search *s, const Access *x, const Access *y, Carried *why)
{
    System sys;
    system_init(&sys, s->ir);
    if (!same_element(s, &sys, x, y))
        return false;
    add_path(s, &sys, 0, x->path);
    add_path(s, &sys, 1, y->path);
    if (meets_later(s, &sys, true)) {
        conflict(why, x, y);
        return true;
    }
    if (x != y && meets_later(s, &sys, false)) {
        conflict(why, y, x);
        return true;
    }
    return false;
}

static Search search(Ir *ir, Node *region, Node *loop)
{
    Search s = {.ir = ir, .region = region, .loop = loop};
    s.stored = arena_new_array(ir->scratch, bool, ir->nsyms + 1);
    s.own = arena_new_array(ir->scratch, bool, ir->nsyms + 1);
    s.varies = arena_new_array(ir->scratch, bool, ir->nsyms + 1);
    s.defs = arena_new_array(ir->scratch, Node *, ir->nsyms + 1);
    s.assigned = arena_new_array(ir->scratch, bool, ir->nsyms + 1);
    walk(&(Walker){.pre = note_assigned, .user = &s}, region);
    walk(&(Walker){.pre = note_symbol, .user = &s}, region);
    note_accesses(&s, region, NULL);
    return s;
}

static const Access *access_of(const Search *s, const Node *node)
{
    for (int i = 0; i < s->accesses.count; i++)
        if (((Access *)s->accesses.items[i])->node == node)
            return s->accesses.items[i];
    return NULL;
}

/* Do they spell the same element? */
static bool spelled_alike(const Search *s, const Access *x, const Access *y)
{
    for (int d = 0; d < x->node->sym->rank; d++)
        if (!poly_equal(poly_of(s->ir, x->node->kid[d]), poly_of(s->ir, y->node->kid[d])))
            return false;
    return true;
}

bool touched_otherwise(Ir *ir, Node *loop, Node *store)
{
    Search s = search(ir, loop, loop);
    const Access *x = access_of(&s, store);
    for (int i = 0; x && !s.failed && i < s.accesses.count; i++) {
        const Access *y = s.accesses.items[i];
        if (y->node->sym != store->sym || spelled_alike(&s, x, y))
            continue;
        System sys;
        system_init(&sys, ir);
        for (int d = 0; d < store->sym->rank; d++) {
            Form fx, fy;
            if (linear_form(&s, &sys, 0, x->path, store->kid[d], &fx) && linear_form(&s, &sys, 1, y->path, y->node->kid[d], &fy))
                system_equal(&sys, form_sub(&fx, &fy));
        }
        add_path(&s, &sys, 0, x->path);
        add_path(&s, &sys, 1, y->path);
        if (!system_is_empty(&sys))
            return true;
    }
    return !x || s.failed;
}

bool carries_through_arrays(Ir *ir, Node *region, Node *loop, Carried *why)
{
    Search s = search(ir, region, loop);
    int pairs = 0;
    for (int i = 0; i < s.accesses.count; i++)
        for (int j = i; j < s.accesses.count; j++) {
            const Access *x = s.accesses.items[i], *y = s.accesses.items[j];
            if (x->node->sym != y->node->sym || (x->node->kind == N_LOAD && y->node->kind == N_LOAD))
                continue;
            if (pair_meets(&s, x, y, why))
                return true;
            s.failed = s.failed || ++pairs > MAX_PAIRS;
        }
    if (s.failed)
        *why = (Carried){.other = "it does more than can be looked through"};
    return s.failed;
}

/* ---------------------------------------------------------------- texts */

static bool is_word(char c) { return isalnum((unsigned char)c) || c == '_'; }

/* The access as the spec spells it, without blanks where words do not need them. */
static const char *access_text(Ir *ir, const Node *access)
{
    size_t len;
    const char *text = diag_text(ir->diag, access->loc, &len);
    Text out;
    text_init(&out, ir->arena);
    int depth = 0, closed = 0;
    for (size_t i = 0; i < len && closed < access->sym->rank; i++) {
        depth += (text[i] == '[') - (text[i] == ']');
        closed += text[i] == ']' && depth == 0;
        bool blank = isspace((unsigned char)text[i]);
        if (!blank || (out.size && is_word(out.data[out.size - 1]) && i + 1 < len && is_word(text[i + 1])))
            text_putc(&out, blank ? ' ' : text[i]);
    }
    return closed == access->sym->rank && closed ? out.data : access->sym->name;
}

static int line_of(Ir *ir, const Node *access, const Node *stmt)
{
    bool inside = access->loc.beg >= stmt->loc.beg && access->loc.beg < stmt->loc.end;
    Loc loc = inside ? access->loc : stmt->kind == N_DECL && !stmt->loc.beg ? stmt->sym->loc : stmt->loc;
    int line, column;
    diag_line_column(ir->diag, loc, &line, &column);
    return line;
}

const char *carried_text(Ir *ir, const Carried *why)
{
    if (why->scalar)
        return arena_printf(ir->arena, "%s outlives the iteration that assigns it", why->scalar->name);
    if (!why->from)
        return why->other;
    bool writes = why->from->kind == N_STORE, then = why->to->kind == N_STORE;
    return arena_printf(ir->arena, "%s at line %d %s what %s at line %d %s in a later iteration", access_text(ir, why->from),
                        line_of(ir, why->from, why->from_stmt), writes ? "writes" : "reads", access_text(ir, why->to),
                        line_of(ir, why->to, why->to_stmt),
                        writes && then ? "writes again"
                        : then         ? "writes"
                                       : "reads");
}
