/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Subscripts over a nest: loops that move them, least and most values, strides. */
#include "plan/contract/nest_access.h"

#include "depend/index.h"
#include "ir/range.h"
#include "ir/walk.h"

/* What a walk over an expression finds: the loops it depends on, whether it is always defined. */
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

/* outer * by + inner, both times the same, is the loop that the two came from: what is known about it is more than what
 * is known about them. To the end of `ranges` goes what p then depends on. */
static Poly *join_digits(const Nest *nest, Poly *p, LoopRange *ranges, int *n)
{
    Ir *ir = nest->ir;
    for (int i = nest->ndigits - 1; i >= 0; i--) {
        const Digits *d = &nest->digits[i];
        Sym *both[] = {d->outer, d->inner};
        Poly *coef[2], *rest;
        if (!poly_affine(ir, p, both, 2, coef, &rest) || !poly_equal(coef[0], poly_mul(ir, coef[1], d->by)))
            continue;
        p = poly_add(ir, rest, poly_mul(ir, coef[1], poly_of(ir, mk_var(ir, d->whole))));
        ranges[(*n)++] = (LoopRange){d->whole, poly_int(ir, 0), d->most};
    }
    return p;
}

/* The subscript's least or most value while the nest runs; NULL when it is not monotone in a known direction. */
static Poly *extreme(const Nest *nest, Node *sub, bool most)
{
    LoopRange ranges[2 * MAX_LOOPS];
    int n = nest->nloops;
    for (int i = 0; i < n; i++)
        ranges[i] = (LoopRange){nest->loop[i].var, nest->loop[i].least, nest->loop[i].most};
    Poly *p = join_digits(nest, poly_of(nest->ir, sub), ranges, &n);
    return extreme_inside(nest->ir, nest->func, p, ranges, n, most);
}

/* The expression without conversions that keep its value. */
static Node *unconverted(Node *e)
{
    while (e->kind == N_CAST && type_is_integer(e->type) && type_is_integer(e->kid[0]->type) &&
           (converts_as_index((Type)e->kid[0]->type, (Type)e->type) || range_within(range_by_types(e->kid[0]), type_range((Type)e->type))))
        e = e->kid[0];
    return e;
}

enum { BOUND = 1 << 20 }; /* what is farther from 0 is no help */

/* A bound of the atom from below, or from above, as one of two; NULL: none is known. */
static Node *bound_of(Ir *ir, Node *atom, bool below, int arm)
{
    atom = unconverted(atom);
    if (atom->kind == (below ? N_MAX : N_MIN))
        return atom->kid[arm];
    const Wide end = below ? range_by_types(atom).lo : range_by_types(atom).hi;
    return end > -BOUND && end < BOUND ? mk_int(ir, T_LONG, (int64_t)end) : NULL;
}

static bool is_at_least(const Nest *nest, Poly *p, int64_t least);

/* The divisor of a quotient that is rounded to 0, if it is a constant that sums may be multiplied by; 0: it is none. */
static int64_t small_divisor(const Node *quotient)
{
    const bool is_one = quotient->kind == N_DIV && type_is_integer(quotient->type) && quotient->kid[1]->kind == N_INT;
    return is_one && quotient->kid[1]->u.i > 0 && quotient->kid[1]->u.i <= 1 << 16 ? quotient->kid[1]->u.i : 0;
}

/* Of a poly that is one converted expression: that expression's. */
static Poly *without_conversion(Ir *ir, Poly *p)
{
    const bool is_one = p->nterms == 1 && p->terms[0].natoms == 1 && p->terms[0].coef == 1;
    return is_one ? poly_of(ir, unconverted(p->terms[0].atoms[0])) : p;
}

/* Does some loop of the nest run at most so often? It runs once at least, as the nest does. */
static bool bounds_a_loop(const Nest *nest, const Poly *p)
{
    bool yes = false;
    for (int i = 0; i < nest->nloops && !yes; i++) {
        int64_t more;
        yes = poly_const(poly_sub(nest->ir, p, without_conversion(nest->ir, nest->loop[i].trip)), &more) && more >= 0;
    }
    return yes;
}

/* Of the term's atoms a quotient e / d whose divisor is a constant, or, where the term has two, the other atom and positive: d, which *quotient
 * is divided by. NULL: there is none. */
static Poly *divisor_in(Ir *ir, const Term *t, Node **quotient)
{
    for (int i = 0; i < t->natoms && t->natoms <= 2; i++) {
        Node *q = unconverted(t->atoms[i]);
        *quotient = q;
        if (t->natoms == 1 && small_divisor(q))
            return poly_of(ir, q->kid[1]);
        if (t->natoms == 2 && q->kind == N_DIV && type_is_integer(q->type) && range_by_types(q->kid[1]).lo > 0 &&
            poly_equal(poly_of(ir, q->kid[1]), poly_of(ir, t->atoms[1 - i])))
            return poly_of(ir, q->kid[1]);
    }
    return NULL;
}

/* p at least `least` where its term t has a quotient e / d: d times the quotient is e - (d - 1) or more, and, where it is not 0 or less, at
 * most e. If the term is no multiple of d, all is multiplied by it, which is constant then. */
static bool is_at_least_by_quotient(const Nest *nest, Poly *p, const Term *t, int64_t least)
{
    Ir *ir = nest->ir;
    Node *quotient;
    Poly *divisor = divisor_in(ir, t, &quotient);
    const int64_t coef = (int64_t)t->coef;
    int64_t scale = 1;
    if (!divisor || least > 1 << 16 || least < -(1 << 16) || (coef < 0 && !bounds_a_loop(nest, poly_of(ir, quotient))))
        return false;
    if (t->natoms == 1)
        poly_const(divisor, &scale);
    Poly *times = poly_of(ir, quotient->kid[0]), *term = poly_int(ir, coef);
    if (coef > 0)
        times = poly_sub(ir, times, poly_sub(ir, divisor, poly_int(ir, 1)));
    for (int i = 0; i < t->natoms; i++)
        term = poly_mul(ir, term, poly_of(ir, t->atoms[i]));
    Poly *rest = poly_mul(ir, poly_int(ir, scale), poly_sub(ir, p, term));
    return is_at_least(nest, poly_add(ir, rest, poly_mul(ir, poly_int(ir, coef), times)), scale * least - (scale - 1));
}

/* Is it no less, for certain? What is the least of two is no more than either, some scalars have a range, and quotients lie close to what is divided. */
static bool is_at_least(const Nest *nest, Poly *p, int64_t least)
{
    Ir *ir = nest->ir;
    int64_t known;
    if (poly_const(p, &known))
        return known >= least;
    for (int i = 0; i < p->nterms; i++) {
        const Term *t = &p->terms[i];
        Node *bound;
        for (int arm = 0; arm < 2 && t->natoms == 1 && (bound = bound_of(ir, t->atoms[0], (int64_t)t->coef > 0, arm)); arm++) {
            Poly *less = poly_sub(ir, poly_of(ir, bound), poly_of(ir, t->atoms[0]));
            if (is_at_least(nest, poly_add(ir, p, poly_mul(ir, poly_int(ir, (int64_t)t->coef), less)), least))
                return true;
        }
        if (is_at_least_by_quotient(nest, p, t, least))
            return true;
    }
    return false;
}

/* The same while the nest runs, each of whose loops then does so at least once. */
static bool is_at_least_inside(const Nest *nest, Poly *p, int64_t least)
{
    bool yes = is_at_least(nest, p, least);
    for (int i = 0; i < nest->nloops && !yes; i++)
        yes = is_at_least(nest, poly_sub(nest->ir, p, nest->loop[i].trip), least - 1);
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
    if ((n->kind != N_DIV && n->kind != N_MOD) || !type_is_integer(n->type) || range_by_types(n->kid[1]).lo > 0)
        return false;
    return n->kid[1]->kind != N_INT || n->kid[1]->u.i == 0 || n->kid[1]->u.i == -1;
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
    for (int i = 0; i < nest->nloops; i++)
        if (todo == 1u << i && range_by_types(poly_node(ir, coef[i])).lo > 0)
            return true;
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
