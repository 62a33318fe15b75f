/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Most subscripts are the variable and a constant, which need no isl. */
#include "depend/distance.h"

#include "depend/digits.h"

static const Node *outermost_loop(const Path *path)
{
    const Node *loop = NULL;
    for (; path; path = path->outer)
        loop = path->loop ? path->loop : loop;
    return loop;
}

/* Two accesses to an array, of `a` and of `b`. */
typedef struct Pair {
    System sys; /* they touch the same element */
    int var_a, var_b;
    bool apart; /* they do not */
    bool known; /* a's variable is b's plus `ahead` where they do */
    int64_t ahead;
} Pair;

static bool is_constant(const Form *f, int ndims)
{
    for (int i = 0; i < ndims; i++)
        if (f->coef[i] != 0)
            return false;
    return true;
}

/* Is it a's variable minus b's plus a constant, or the contrary? */
static bool is_shift(Pair *p, const Form *f)
{
    const int64_t c = f->coef[p->var_a];
    for (int i = 0; i < p->sys.ndims; i++)
        if (f->coef[i] != 0 && i != p->var_a && i != p->var_b)
            return false;
    if ((c != 1 && c != -1) || f->coef[p->var_b] != -c)
        return false;
    p->ahead = c > 0 ? -f->constant : f->constant;
    return true;
}

static void add_subscripts(Pair *p, Accesses *in, const Access *x, const Access *y)
{
    for (int d = 0; d < x->node->sym->rank; d++) {
        Form difference[MOST_DIGITS];
        const int digits = subscript_differences(in, &p->sys, x, y, d, difference);
        for (int i = 0; i < digits; i++) {
            if (is_constant(&difference[i], p->sys.ndims) && difference[i].constant != 0)
                p->apart = true;
            p->known = is_shift(p, &difference[i]) || p->known;
            system_equal(&p->sys, difference[i]);
        }
    }
}

/* May a's variable be greater by more than `d`? */
static bool goes_beyond(const Pair *p, int64_t d)
{
    System sys = p->sys;
    Form more = {{0}, 0};
    more.coef[p->var_a] = 1;
    more.coef[p->var_b] = -1;
    system_at_least(&sys, more, d + 1);
    return !system_is_empty(&sys);
}

/* Raises *d to what the pair asks for; false when that is too much. */
static bool raise_distance(Accesses *in, const Node *a, const Access *x, const Node *b, const Access *y, int64_t *d)
{
    Pair p = {.known = false};
    system_init(&p.sys, in->ir);
    p.var_a = system_iterator(&p.sys, 0, a->sym);
    p.var_b = system_iterator(&p.sys, 1, b->sym);
    add_subscripts(&p, in, x, y);
    if (p.apart)
        return true;
    if (p.known) {
        *d = p.ahead > *d ? p.ahead : *d;
        return *d <= DISTANCE_MOST;
    }
    add_path(in, &p.sys, 0, x->path);
    add_path(in, &p.sys, 1, y->path);
    while (*d <= DISTANCE_MOST && goes_beyond(&p, *d))
        ++*d;
    return *d <= DISTANCE_MOST;
}

bool loop_distance(Accesses *in, const Node *a, const Node *b, int64_t *d, Carried *why)
{
    *d = 0;
    *why = (Carried){.other = "they do more than can be looked through"};
    if (in->failed)
        return false;
    for (int i = 0; i < in->all.count; i++)
        for (int j = 0; j < in->all.count; j++) {
            const Access *x = in->all.items[i], *y = in->all.items[j];
            if (x->node->sym != y->node->sym || (x->node->kind == N_LOAD && y->node->kind == N_LOAD) || outermost_loop(x->path) != a ||
                outermost_loop(y->path) != b)
                continue;
            *why = (Carried){.from = x->node, .to = y->node, .from_stmt = x->stmt, .to_stmt = y->stmt};
            if (!raise_distance(in, a, x, b, y, d))
                return false;
        }
    *why = (Carried){0};
    return true;
}

bool accesses_are_within(const Accesses *in, Node *const *loops, int n)
{
    for (int i = 0; i < in->all.count; i++) {
        const Node *loop = outermost_loop(((Access *)in->all.items[i])->path);
        bool found = false;
        for (int j = 0; j < n; j++)
            found = found || loop == loops[j];
        if (!found)
            return false;
    }
    return true;
}
