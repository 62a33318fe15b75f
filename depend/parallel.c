/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Trip counts of loops, and whether iterations are independent: cheap tests first, isl last. */
#include "depend/parallel.h"

#include "depend/carry.h"
#include "depend/index.h"
#include "depend/poly.h"
#include "ir/sym_map.h"
#include "ir/walk.h"

Node *trip_count_of_running(Ir *ir, Node *loop)
{
    Bounds b;
    if (!for_bounds(loop, &b) || !bounds_count(&b))
        return NULL;
    const bool up = b.step > 0;
    int64_t stride = up ? b.step : -b.step;
    Node *lo = widen(ir, b.lo), *hi = widen(ir, b.hi);
    Node *span = up ? ix_sub(ir, hi, lo) : ix_sub(ir, lo, hi);
    if (b.cmp == N_LE || b.cmp == N_GE)
        span = ix_add(ir, span, ix_int(ir, 1));
    if (stride > 1)
        span = ix_div(ir, ix_add(ir, span, ix_int(ir, stride - 1)), ix_int(ir, stride));
    return span;
}

Node *trip_count(Ir *ir, Node *loop)
{
    Node *count = trip_count_of_running(ir, loop);
    return count ? ix_max(ir, count, ix_int(ir, 0)) : NULL;
}

/* What a body declares, and what it assigns without declaring it. */
typedef struct Scan {
    Ir *ir;
    Map declared, is_stored; /* by symbol id: the symbol */
    Map accesses;   /* by symbol id: a Vec of the array's N_LOAD and N_STORE nodes */
    Vec stored;     /* arrays, each once */
    const Sym *outlives; /* a scalar that is assigned here and declared elsewhere */
    bool contracts;
} Scan;

static void note_scalar(Scan *s, const Sym *sym)
{
    if (!map_get(&s->declared, sym->id) && !s->outlives)
        s->outlives = sym;
}

/* A load that was the last one of its array is no other access: nodes are interned. */
static void note_access(Scan *s, Node *access)
{
    Arena *arena = s->ir->scratch;
    Vec **of = (Vec **)map_at(arena, &s->accesses, access->sym->id);
    if (!*of)
        *of = arena_alloc(arena, sizeof **of);
    const Node *last = (*of)->count ? (*of)->items[(*of)->count - 1] : NULL;
    if (access != last)
        vec_push(arena, *of, access);
}

static void note_store(Scan *s, Node *store)
{
    void **known = map_at(s->ir->scratch, &s->is_stored, store->sym->id);
    if (!*known)
        vec_push(s->ir->scratch, &s->stored, store->sym);
    *known = store->sym;
    note_access(s, store);
}

static bool collect(void *user, Node *n)
{
    Scan *s = user;
    switch ((Kind)n->kind) {
    case N_DECL: *map_at(s->ir->scratch, &s->declared, n->sym->id) = n->sym; break;
    case N_FOR:
        if (n->aux)
            *map_at(s->ir->scratch, &s->declared, n->sym->id) = n->sym;
        else
            note_scalar(s, n->sym);
        break;
    case N_ASSIGN: note_scalar(s, n->sym); break;
    case N_CONTRACT:
    case N_LAUNCH: s->contracts = true; break;
    case N_LOAD: note_access(s, n); break;
    case N_STORE: note_store(s, n); break;
    default: break;
    }
    return true;
}

typedef struct Changes {
    const Scan *scan;
    const Sym *var;
} Changes;

/* Does the expression have another value in the course of one iteration, or in another iteration, apart from the
 * loop's own variable? */
static bool changes_pre(void *user, Node *n)
{
    const Changes *c = user;
    return n->kind == N_LOAD || (n->kind == N_VAR && n->sym != c->var && map_get(&c->scan->declared, n->sym->id));
}

static bool changes(const Scan *scan, Node *e, const Sym *var)
{
    Changes c = {scan, var};
    return any_node(e, changes_pre, &c);
}

/* Does the subscript tell iterations apart? Unsigned ones that are far apart may meet again, modulo 2^64. */
static bool tells_apart(const Scan *s, Node *subscript, const Poly *p, Sym *var, int64_t step)
{
    Poly *coef, *rest;
    int64_t c, apart;
    return !changes(s, subscript, var) && poly_affine(s->ir, p, &var, 1, &coef, &rest) && poly_const(coef, &c) && c != 0 &&
           !__builtin_mul_overflow(c, step, &apart) && apart >= INT32_MIN && apart <= INT32_MAX;
}

/* Do all accesses to `array` agree in dimension `d` on a subscript that tells iterations apart? */
static bool pinned(const Scan *s, const Vec *accesses, int d, Sym *var, int64_t step)
{
    Node *subscript = ((const Node *)accesses->items[0])->kid[d];
    const Poly *first = poly_of(s->ir, subscript);
    if (!tells_apart(s, subscript, first, var, step))
        return false;
    for (int i = 1; i < accesses->count; i++) {
        Node *other = ((const Node *)accesses->items[i])->kid[d];
        if (other != subscript && !poly_equal(first, poly_of(s->ir, other)))
            return false;
    }
    return true;
}

static bool slices_are_private(const Scan *s, const Sym *array, Sym *var, int64_t step)
{
    if (map_get(&s->declared, array->id))
        return true;
    const Vec *accesses = map_get(&s->accesses, array->id);
    for (int d = 0; d < array->rank; d++)
        if (pinned(s, accesses, d, var, step))
            return true;
    return false;
}

static bool slices_are_all_private(const Scan *s, Node *loop, int64_t step)
{
    for (int i = 0; i < s->stored.count; i++)
        if (!slices_are_private(s, s->stored.items[i], loop->sym, step))
            return false;
    return true;
}

/* What keeps the iterations in order, apart from arrays. */
static bool ordered_by_form(Ir *ir, Node *loop, const Scan *s, Carried *why)
{
    Bounds b;
    if (!loop->aux || !for_bounds(loop, &b) || !trip_count(ir, loop))
        *why = (Carried){.other = "the number of its iterations is not known before it starts"};
    else if (s->contracts)
        *why = (Carried){.other = "a contraction in it has a launch of its own"};
    else if (s->outlives)
        *why = (Carried){.scalar = s->outlives};
    else if (changes(s, b.hi, NULL) || changes(s, b.lo, NULL))
        *why = (Carried){.other = "its bounds may change while it runs"};
    else
        return false;
    return true;
}

bool loop_is_ordered(Ir *ir, Node *loop, Carried *why)
{
    *why = (Carried){0};
    Scan s = {.ir = ir};
    walk(&(Walker){.pre = collect, .user = &s}, loop->kid[2]);
    if (ordered_by_form(ir, loop, &s, why))
        return true;
    return !slices_are_all_private(&s, loop, loop->u.i) && carries_through_arrays(ir, loop, loop, why);
}

bool iterations_are_independent(Ir *ir, Node *region, Node *loop, Sym *const *reduced, int nreduced)
{
    Carried why;
    Scan s = {.ir = ir};
    for (int i = 0; i < nreduced; i++)
        *map_at(ir->scratch, &s.declared, reduced[i]->id) = reduced[i];
    walk(&(Walker){.pre = collect, .user = &s}, region);
    if (ordered_by_form(ir, loop, &s, &why))
        return false;
    return slices_are_all_private(&s, loop, loop->u.i) || !carries_through_arrays(ir, region, loop, &why);
}

bool loop_is_parallel(Ir *ir, Node *loop)
{
    Carried why;
    return loop->kind == N_FOR && !loop_is_ordered(ir, loop, &why);
}
