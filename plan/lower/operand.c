/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Addresses: which loops move an operand, by how much, and whether several loops count as one. */
#include "depend/index.h"
#include "ir/walk.h"
#include "plan/lower/device_codes.h"
#include "plan/contract/gather.h"
#include "plan/contract/narrow.h"

/* What a walk over an expression finds: the loops it hangs on, whether it is always defined. */
typedef struct Walked {
    const Nest *nest;
    unsigned mask;
    bool ok;
} Walked;

static bool loops_pre(void *user, Node *n)
{
    Walked *w = user;
    if (n->kind == N_VAR)
        for (int i = 0; i < w->nest->nloops; i++)
            if (w->nest->loop[i].var == n->sym)
                w->mask |= 1u << i;
    return true;
}

unsigned loops_in(const Nest *nest, Node *e)
{
    Walked w = {nest, 0, true};
    walk(&(Walker){.pre = loops_pre, .user = &w}, e);
    return w.mask;
}

static void loop_vars(const Nest *nest, Sym **vars)
{
    for (int i = 0; i < nest->nloops; i++)
        vars[i] = nest->loop[i].var;
}

/* A variable of a linear form: a loop's, or that of a loop that was taken apart. */
typedef struct Variable {
    const Sym *sym;
    Poly *coef, *least, *most;
} Variable;

static Variable *variable_of(Variable *v, int n, const Sym *sym)
{
    for (int i = 0; i < n; i++)
        if (v[i].sym == sym)
            return &v[i];
    return NULL;
}

/* outer * by + inner, both times the same, is the loop that the two came from: what is known about it is more than what
 * is known about them. */
static void join_digits(const Nest *nest, Variable *v, int n)
{
    Ir *ir = nest->ir;
    for (int i = nest->ndigits - 1; i >= 0; i--) {
        const Digits *d = &nest->digits[i];
        Variable *outer = variable_of(v, n, d->outer), *inner = variable_of(v, n, d->inner);
        if (!outer || !inner || !poly_equal(outer->coef, poly_mul(ir, inner->coef, d->by)))
            continue;
        *outer = (Variable){d->whole, inner->coef, poly_int(ir, 0), d->most};
        *inner = (Variable){NULL, poly_int(ir, 0), NULL, NULL};
    }
}

/* The subscript's least or most value over the nest; NULL when it is not monotone in a known direction. */
static Poly *extreme(const Nest *nest, Node *sub, bool most)
{
    Ir *ir = nest->ir;
    Sym *vars[MAX_LOOPS];
    Poly *coef[MAX_LOOPS], *rest;
    Variable v[MAX_LOOPS];
    loop_vars(nest, vars);
    if (!poly_affine(ir, poly_of(ir, sub), vars, nest->nloops, coef, &rest))
        return NULL;
    for (int i = 0; i < nest->nloops; i++)
        v[i] = (Variable){vars[i], coef[i], nest->loop[i].least, nest->loop[i].most};
    join_digits(nest, v, nest->nloops);
    for (int i = 0; i < nest->nloops; i++) {
        int64_t c = 0;
        bool constant = poly_const(v[i].coef, &c);
        if (constant && c == 0)
            continue;
        if (!constant && !known_nonnegative(ir, nest->func, v[i].coef))
            return NULL;
        bool rising = !constant || c > 0;
        rest = poly_add(ir, rest, poly_mul(ir, v[i].coef, rising == most ? v[i].most : v[i].least));
    }
    return rest;
}

/* A bound of the atom from below, or from above, as one of two; NULL: none is known. */
static Node *bound_of(Ir *ir, Node *atom, bool below, int arm)
{
    while (atom->kind == N_CAST && converts_as_index((Type)atom->kid[0]->type, (Type)atom->type))
        atom = atom->kid[0];
    if (atom->kind == (below ? N_MAX : N_MIN))
        return atom->kid[arm];
    return atom->kind == N_VAR && atom->sym->has_range && below ? mk_int(ir, T_LONG, atom->sym->lo) : NULL;
}

/* Is it no less, for certain? What is the least of two is no more than either, and some scalars have a range. */
static bool is_at_least(Ir *ir, Poly *p, int64_t least)
{
    int64_t known;
    if (poly_const(p, &known))
        return known >= least;
    for (int i = 0; i < p->nterms; i++) {
        const Term *t = &p->terms[i];
        Node *bound;
        for (int arm = 0; arm < 2 && t->natoms == 1 && (bound = bound_of(ir, t->atoms[0], (int64_t)t->coef > 0, arm)); arm++) {
            Poly *less = poly_sub(ir, poly_of(ir, bound), poly_of(ir, t->atoms[0]));
            if (is_at_least(ir, poly_add(ir, p, poly_mul(ir, poly_int(ir, (int64_t)t->coef), less)), least))
                return true;
        }
    }
    return false;
}

/* The same while the nest runs, each of whose loops then does so at least once. */
static bool is_at_least_inside(const Nest *nest, Poly *p, int64_t least)
{
    bool yes = is_at_least(nest->ir, p, least);
    for (int i = 0; i < nest->nloops && !yes; i++)
        yes = is_at_least(nest->ir, poly_sub(nest->ir, p, nest->loop[i].trip), least - 1);
    return yes;
}

/* Is 0 <= sub < extent for certain? */
static bool subscript_fits(const Nest *nest, Node *sub, Node *extent)
{
    Ir *ir = nest->ir;
    Poly *least = extreme(nest, sub, false), *most = extreme(nest, sub, true);
    if (!least || !most || !extent)
        return false;
    return is_at_least_inside(nest, least, 0) && is_at_least_inside(nest, poly_sub(ir, poly_of(ir, extent), most), 1);
}

static bool is_risky_division(const Node *n)
{
    return (n->kind == N_DIV || n->kind == N_MOD) && type_is_integer(n->type) &&
           (n->kid[1]->kind != N_INT || n->kid[1]->u.i == 0 || n->kid[1]->u.i == -1);
}

static bool defined_pre(void *user, Node *n)
{
    Walked *w = user;
    if (is_risky_division(n))
        w->ok = false;
    if (n->kind == N_LOAD)
        for (int i = 0; i < n->nkids; i++)
            w->ok = w->ok && subscript_fits(w->nest, n->kid[i], n->sym->extent[i]);
    return w->ok;
}

bool always_defined(const Nest *nest, Node *e)
{
    Walked w = {nest, 0, true};
    walk(&(Walker){.pre = defined_pre, .user = &w}, e);
    return w.ok;
}

bool offset_of(const Nest *nest, const Sym *array, Node *const *sub, Poly **coef, Poly **rest)
{
    Ir *ir = nest->ir;
    Sym *vars[MAX_LOOPS];
    loop_vars(nest, vars);
    Poly *offset = poly_int(ir, 0);
    for (int d = 0; d < array->rank; d++) {
        if (d > 0)
            offset = poly_mul(ir, offset, poly_of(ir, array->extent[d]));
        offset = poly_add(ir, offset, poly_of(ir, sub[d]));
        if (offset->nterms > 100)
            return false;
    }
    return poly_affine(ir, offset, vars, nest->nloops, coef, rest);
}

/* ---------------------------------------------------------------- injectivity of the output */

/* Of the loops in `todo`, one whose stride in the subscript is `stride`, up to sign; -1 for none. */
static int loop_with_stride(const Nest *nest, unsigned todo, Poly **coef, const Poly *stride)
{
    Ir *ir = nest->ir;
    for (int i = 0; i < nest->nloops; i++) {
        if (!(todo & 1u << i))
            continue;
        Poly *step = poly_mul(ir, coef[i], poly_int(ir, nest->loop[i].step));
        if (poly_equal(step, stride) || poly_equal(poly_sub(ir, poly_int(ir, 0), step), stride))
            return i;
    }
    return -1;
}

/* The loop in `todo` with the smallest constant stride, which goes to *stride; -1 when none is constant. */
static int innermost_constant(const Nest *nest, unsigned todo, Poly **coef, int64_t *stride)
{
    int best = -1;
    for (int i = 0; i < nest->nloops; i++) {
        int64_t c;
        if (!(todo & 1u << i) || !poly_const(coef[i], &c) || c == 0)
            continue;
        c *= nest->loop[i].step;
        c = c < 0 ? -c : c;
        if (best < 0 || c < *stride) {
            best = i;
            *stride = c;
        }
    }
    return best;
}

/* One subscript tells the loops in `todo` apart when they are digits of one number: each loop's stride is the
 * stride of the one before times its trip count. */
static bool subscript_separates(const Nest *nest, Node *sub, unsigned todo)
{
    Ir *ir = nest->ir;
    Sym *vars[MAX_LOOPS];
    Poly *coef[MAX_LOOPS], *rest;
    loop_vars(nest, vars);
    if (!poly_affine(ir, poly_of(ir, sub), vars, nest->nloops, coef, &rest))
        return false;
    int64_t stride = 0;
    int at = innermost_constant(nest, todo, coef, &stride);
    if (at < 0)
        return false;
    Poly *next = poly_int(ir, stride);
    while (todo) {
        at = loop_with_stride(nest, todo, coef, next);
        if (at < 0)
            return false;
        todo &= ~(1u << at);
        next = poly_mul(ir, next, nest->loop[at].trip);
    }
    return true;
}

bool writes_each_once(const Nest *nest)
{
    unsigned todo = 0;
    for (int i = 0; i < nest->nloops; i++)
        if (!nest->loop[i].reduction)
            todo |= 1u << i;
    /* A subscript that tells its loops apart, given those that others have told apart, settles them. */
    for (bool progress = true; progress && todo;) {
        progress = false;
        for (int d = 0; d < nest->out->rank; d++) {
            unsigned open = loops_in(nest, nest->sub[d]) & todo;
            if (open && subscript_separates(nest, nest->sub[d], open)) {
                todo &= ~open;
                progress = true;
            }
        }
    }
    return todo == 0;
}

bool is_other_part(const Nest *nest, Node *const *sub)
{
    for (int d = 0; d < nest->out->rank; d++) {
        int64_t distance;
        if (!loops_in(nest, sub[d]) && !loops_in(nest, nest->sub[d]) && !has_load(sub[d]) &&
            poly_const(poly_sub(nest->ir, poly_of(nest->ir, sub[d]), poly_of(nest->ir, nest->sub[d])), &distance) && distance != 0)
            return true;
    }
    return false;
}

/* Are all values of `low` less than those of `high`, whichever iterations they are of? */
static bool is_below(const Nest *nest, Node *low, Node *high)
{
    Poly *most = extreme(nest, low, true), *least = extreme(nest, high, false);
    if (!most || !least || has_load(low) || has_load(high))
        return false;
    return is_at_least_inside(nest, poly_sub(nest->ir, least, most), 1);
}

bool is_beside(const Nest *nest, Node *const *sub)
{
    for (int d = 0; d < nest->out->rank; d++)
        if (is_below(nest, sub[d], nest->sub[d]) || is_below(nest, nest->sub[d], sub[d]))
            return true;
    return false;
}

/* ---------------------------------------------------------------- folding */

/* An array access whose strides matter: an operand that is a plain load, or the output. */
typedef struct Access {
    Operand *operand;
    const Sym *array;
    Node *const *sub;
    Poly *coef[MAX_LOOPS], *rest;
    bool affine;
} Access;

/* Step of the element offset from one iteration of the loop to the next. */
static Poly *stride_of(const Mapping *m, const Access *a, int loop)
{
    return poly_mul(m->ir, a->coef[loop], poly_int(m->ir, m->nest->loop[loop].step));
}

/* Do the loops, outermost first, move the access as one loop over all their iterations would? */
static bool folds(const Mapping *m, const Access *a, const int *loops, int n)
{
    for (int i = 0; i + 1 < n; i++) {
        Poly *inner = poly_mul(m->ir, m->nest->loop[loops[i + 1]].trip, stride_of(m, a, loops[i + 1]));
        if (!poly_equal(stride_of(m, a, loops[i]), inner))
            return false;
    }
    return true;
}

bool unit_stride_in_role(const Mapping *m, const Sym *array, Node *const *sub, Role role)
{
    Access a;
    if (!offset_of(m->nest, array, sub, a.coef, &a.rest))
        return false;
    for (int i = 0; i < m->nest->nloops; i++)
        if (m->role[i] == role && poly_is(stride_of(m, &a, i), 1))
            return true;
    return false;
}

static void access_init(const Mapping *m, Access *a, Operand *operand, Sym *array, Node *const *sub)
{
    a->operand = operand;
    a->array = array;
    a->sub = sub;
    a->affine = array && offset_of(m->nest, array, sub, a->coef, &a->rest);
    operand->array = a->affine ? array : NULL;
}

enum { MAX_FOLDED = 5 }; /* loops of one role whose orders are tried, all of them */

/* Of A, B and the output, which counts more, since every sum is written through it. */
static const int weight[3] = {2, 2, 3};

typedef struct Folding {
    const Mapping *m;
    const Access *access;
    int order[R_COUNT][MAX_LOOPS], count[R_COUNT];
    unsigned considered; /* accesses, as a bit mask */
    bool folded[3][R_COUNT];
} Folding;

/* Which accesses a role moves: A and the output by m, B and the output by n, A and B by k. */
static const bool moves[R_COUNT][3] = {[R_M] = {true, false, true}, [R_N] = {false, true, true}, [R_K] = {true, true, false}};

static int score_order(Folding *f, Role role, const int *loops, bool *folded)
{
    int score = 0;
    for (int i = 0; i < 3; i++) {
        folded[i] = !moves[role][i] || (f->access[i].affine && folds(f->m, &f->access[i], loops, f->count[role]));
        score += folded[i] && moves[role][i] && f->considered & 1u << i ? weight[i] : 0;
    }
    return score;
}

static void try_order(Folding *f, Role role, const int *loops, int *best, int *chosen)
{
    bool folded[3];
    int score = score_order(f, role, loops, folded);
    if (score <= *best)
        return;
    *best = score;
    for (int i = 0; i < f->count[role]; i++)
        chosen[i] = loops[i];
    for (int a = 0; a < 3; a++)
        f->folded[a][role] = folded[a];
}

/* All orders of f->order[role] that start with the first `depth` of `loops`, in lexicographic order. */
static void permute(Folding *f, Role role, int *loops, int depth, unsigned used, int *best, int *chosen)
{
    int n = f->count[role];
    if (depth == n) {
        try_order(f, role, loops, best, chosen);
        return;
    }
    for (int i = 0; i < n; i++) {
        if (used & 1u << i)
            continue;
        loops[depth] = f->order[role][i];
        permute(f, role, loops, depth + 1, used | 1u << i, best, chosen);
    }
}

/* The order of the role's loops, nest order preferred, in which most accesses see one stride. */
static void choose_order(Folding *f, Role role)
{
    int loops[MAX_LOOPS], chosen[MAX_LOOPS], best = -1;
    if (f->count[role] <= MAX_FOLDED)
        permute(f, role, loops, 0, 0, &best, chosen);
    else
        try_order(f, role, f->order[role], &best, chosen);
    for (int i = 0; i < f->count[role]; i++)
        f->order[role][i] = chosen[i];
}

static bool in_place(const Folding *f, int access)
{
    return f->access[access].affine && f->folded[access][R_M] && f->folded[access][R_N] && f->folded[access][R_K];
}

static void choose_orders(Folding *f, unsigned considered)
{
    f->considered = considered;
    for (Role r = R_M; r < R_COUNT; r++)
        choose_order(f, r);
}

/* How much is in place with the roles as they stand. An access that no order of some role serves has no say. */
static int fold_roles(Folding *f)
{
    const Mapping *m = f->m;
    for (int r = 0; r < R_COUNT; r++) {
        f->count[r] = 0;
        for (int i = 0; i < m->nest->nloops; i++)
            if ((int)m->role[i] == r)
                f->order[r][f->count[r]++] = i;
    }
    unsigned possible = 0;
    for (int a = 0; a < 3; a++) {
        Folding alone = *f;
        choose_orders(&alone, 1u << a);
        possible |= in_place(&alone, a) ? 1u << a : 0;
    }
    choose_orders(f, possible);
    int score = 0;
    for (int a = 0; a < 3; a++)
        score += in_place(f, a) ? weight[a] : 0;
    return score;
}

enum { MIN_FOLDED = 32 }; /* a shorter dimension is not worth making a batch for */

/* Does the loop decide where the operand is 0? As a batch loop it would leave every batch conditions of its own, and no
 * gather for all of them. */
static bool moves_condition(const Node *value, const Sym *var)
{
    for (; value->kind == N_SEL; value = value->kid[1])
        if (uses_sym(value->kid[0], var))
            return true;
    return false;
}

/* May the outermost loop of this role become a batch loop? What stays must be a loop worth its kernels. */
static int demotable(const Mapping *m, Role role)
{
    int first = -1, count = 0;
    bool large = false;
    for (int i = 0; i < m->nest->nloops; i++) {
        int64_t trip;
        if (m->role[i] != role)
            continue;
        if (count++ == 0)
            first = i;
        else
            large = large || !poly_const(m->nest->loop[i].trip, &trip) || trip >= MIN_FOLDED;
    }
    const Sym *var = first >= 0 ? m->nest->loop[first].var : NULL;
    if (var && !m->opt->cuda && (moves_condition(m->c->a.value, var) || moves_condition(m->c->b.value, var)))
        return -1;
    return count >= 2 && large ? first : -1;
}

/* Loops of m or n that keep an access from having one stride become batch loops, outermost first: the images of
 * a channels-first convolution, say. */
static void demote(Mapping *m, Folding *f)
{
    int score = fold_roles(f);
    for (Role role = R_M; role <= R_N; role++) {
        Role saved[MAX_LOOPS];
        for (int i = 0; i < MAX_LOOPS; i++)
            saved[i] = m->role[i];
        for (int loop; (loop = demotable(m, role)) >= 0;) {
            m->role[loop] = R_BATCH;
            int now = fold_roles(f);
            if (now > score) {
                score = now;
                for (int i = 0; i < MAX_LOOPS; i++)
                    saved[i] = m->role[i];
            }
        }
        for (int i = 0; i < MAX_LOOPS; i++)
            m->role[i] = saved[i];
    }
    fold_roles(f);
}

Node *first_offset(const Mapping *m, const Sym *array, Node *const *subs)
{
    Ir *ir = m->ir;
    Node *at = ix_int(ir, 0);
    for (int d = 0; d < array->rank; d++) {
        Node *sub = subs[d];
        for (int i = 0; i < m->nest->nloops; i++)
            if (m->role[i] != R_BATCH)
                sub = substitute(ir, sub, m->nest->loop[i].var, m->nest->loop[i].lo);
        if (d > 0)
            at = ix_mul(ir, at, widen(ir, array->extent[d]));
        at = ix_add(ir, at, widen(ir, sub));
    }
    return at;
}

/* stride_of() as an expression: a product of extents where one subscript alone holds the loop's variable. */
static Node *stride_node(const Mapping *m, const Access *a, int loop)
{
    Ir *ir = m->ir;
    Sym *var = m->nest->loop[loop].var;
    int at = -1;
    for (int d = 0; d < a->array->rank; d++) {
        if (!uses_sym(a->sub[d], var))
            continue;
        if (at >= 0)
            return poly_node(ir, stride_of(m, a, loop));
        at = d;
    }
    if (at < 0)
        return ix_int(ir, 0);
    Poly *coef, *rest;
    if (!poly_affine(ir, poly_of(ir, a->sub[at]), &var, 1, &coef, &rest))
        return poly_node(ir, stride_of(m, a, loop));
    Node *stride = poly_node(ir, poly_mul(ir, coef, poly_int(ir, m->nest->loop[loop].step)));
    for (int d = at + 1; d < a->array->rank; d++)
        stride = ix_mul(ir, stride, widen(ir, a->array->extent[d]));
    return stride;
}

/* Fills the operand's base and strides from its access. */
static void set_strides(const Mapping *m, const Folding *f, int which)
{
    Ir *ir = m->ir;
    const Access *a = &f->access[which];
    Operand *o = a->operand;
    for (int r = 0; r < R_COUNT; r++)
        o->stride[r] = ix_int(ir, 0);
    o->strided = in_place(f, which);
    if (!o->strided)
        return;
    o->base = first_offset(m, a->array, a->sub);
    for (int r = R_M; r < R_COUNT; r++)
        if (f->count[r] > 0 && moves[r][which])
            o->stride[r] = stride_node(m, a, f->order[r][f->count[r] - 1]);
}

static void set_dims(Mapping *m, const Folding *f)
{
    Ir *ir = m->ir;
    Contraction *c = m->c;
    c->dims = arena_new_array(ir->arena, LoopDim, m->nest->nloops);
    for (int r = 0; r < R_COUNT; r++) {
        c->extent[r] = ix_int(ir, 1);
        for (int i = 0; i < f->count[r]; i++) {
            const NestLoop *l = &m->nest->loop[f->order[r][i]];
            c->dims[c->ndims++] = (LoopDim){l->var, l->lo, l->step, l->extent, (Role)r};
            c->extent[r] = ix_mul(ir, c->extent[r], l->extent);
        }
    }
}

static bool search_table(void *user, Node *n)
{
    bool *found = user;
    *found = *found || (n->sym && n->sym->table);
    return !*found;
}

/* On a GPU, where the host has no address of the spec's own tables, their elements are computed, not found in place. */
static bool is_kept_from_host(const Mapping *m, Node *value)
{
    bool found = false;
    walk(&(Walker){.pre = search_table, .user = &found}, value);
    return found && m->opt->cuda;
}

void fold_loops(Mapping *m)
{
    Contraction *c = m->c;
    Access access[3];
    Operand *operands[] = {&c->a, &c->b};
    for (int i = 0; i < 2; i++) {
        Node *value = operands[i]->value, *load = NULL;
        if (!m->opt->cuda)
            load = packed_load(c, value, &operands[i]->plus);
        else if (value->kind == N_LOAD && c->family != FAM_I8 && !is_kept_from_host(m, value))
            load = value;
        access_init(m, &access[i], operands[i], load ? load->sym : NULL, load ? load->kid : NULL);
    }
    access_init(m, &access[2], &c->c, m->nest->out, m->nest->sub);
    if (m->nest->out->type != c->acc && !m->opt->cuda && !stores_converted(c->acc, m->nest->out->type))
        access[2].affine = false;
    Folding f = {.m = m, .access = access};
    demote(m, &f);
    set_dims(m, &f);
    for (int i = 0; i < 3; i++)
        set_strides(m, &f, i);
    for (int i = 0; i < 2; i++) {
        const bool kept = is_kept_from_host(m, operands[i]->value);
        operands[i]->gather = operands[i]->strided || c->family == FAM_I8 || kept ? NULL : find_gather(m, operands[i]);
        if (m->in_ragged && !kept && !operands[i]->strided && !operands[i]->gather && c->family != FAM_I8)
            operands[i]->gather = find_placed_gather(m, operands[i], i == 0 ? R_M : R_N);
    }
    c->a.rows = c->a.strided || c->a.gather || m->opt->cuda ? NULL : find_converted_gather(m, &c->a);
    c->c.array = m->nest->out;
    c->a.in_place = c->a.strided && c->family != FAM_I8 && c->a.array->type == (m->opt->cuda ? c->a.value->type : c->elem);
    c->b.in_place = c->b.strided && c->family != FAM_I8 && c->b.array->type == (m->opt->cuda ? c->b.value->type : c->elem);
    c->c.in_place = c->c.strided && c->c.array->type == c->acc;
    c->c.value = mk_load(m->ir, m->nest->out, m->nest->out->rank, m->nest->sub);
    const bool computed = is_kept_from_host(m, c->a.value) || is_kept_from_host(m, c->b.value);
    c->codes = m->opt->cuda && !computed ? find_device_codes(m) : NULL;
}
