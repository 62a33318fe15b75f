/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Greedy, in source order: each loop joins the first one before it that it can. */
#include "fuse/merge.h"

#include "depend/parallel.h"
#include "depend/reduce.h"
#include "ir/branch.h"
#include "ir/walk.h"

enum { MOST_APART = 32 }; /* statements that a loop may be moved over */

typedef struct Merger {
    Ir *ir;
    bool strict;
    Node *for_threads; /* iterations of loops around all others are what threads get; this is all there is; NULL: no threads */
    bool is_inside;    /* such a loop is around */
    const Vec *apart;  /* Sym *: arrays that keep loops apart; NULL: none */
    Node *whole; /* only loops over single elements go into those that gather each of them up; this is all there is; NULL: all loops */
} Merger;

/* ---------------------------------------------------------------- what statements touch */

typedef struct Touches {
    bool *reads, *writes; /* per symbol id: scalars, arrays, what is declared */
    bool barrier;         /* it does what the tree does not show */
} Touches;

static bool note_touch(void *user, Node *n)
{
    Touches *t = user;
    switch ((Kind)n->kind) {
    case N_VAR:
    case N_LOAD: t->reads[n->sym->id] = true; break;
    case N_DECL:
    case N_ASSIGN:
    case N_STORE:
    case N_FOR: t->writes[n->sym->id] = true; break;
    case N_BLOCK:
    case N_IF: break;
    default: t->barrier = t->barrier || !is_expr(n);
    }
    return true;
}

static Touches *touches_of(Ir *ir, Node *n)
{
    Touches *t = arena_alloc(ir->scratch, sizeof *t);
    *t = (Touches){arena_new_array(ir->scratch, bool, ir->nsyms + 1), arena_new_array(ir->scratch, bool, ir->nsyms + 1), false};
    walk(&(Walker){.pre = note_touch, .user = t}, n);
    return t;
}

/* May the two not change places? */
static bool conflict(const Touches *a, const Touches *b, int nsyms)
{
    if (a->barrier || b->barrier)
        return true;
    for (int i = 0; i < nsyms; i++)
        if ((a->writes[i] && (b->reads[i] || b->writes[i])) || (a->reads[i] && b->writes[i]))
            return true;
    return false;
}

static bool search_shared(void *user, Node *n)
{
    Touches *t = user;
    if ((n->kind == N_LOAD || n->kind == N_STORE) && (t->reads[n->sym->id] || t->writes[n->sym->id]))
        t->barrier = true;
    return !t->barrier;
}

static bool share_an_array(Ir *ir, Node *a, Node *b)
{
    Touches of_a = *touches_of(ir, a);
    of_a.barrier = false;
    walk(&(Walker){.pre = search_shared, .user = &of_a}, b);
    return of_a.barrier;
}

/* ---------------------------------------------------------------- two loops */

static bool same_range(const Node *a, const Node *b, Ir *ir)
{
    if (a->u.i != b->u.i || a->kid[0] != b->kid[0] || a->sym->type != b->sym->type)
        return false;
    return rename_sym(ir, b->kid[1], b->sym, a->sym) == a->kid[1];
}

static Node *flat_block(Ir *ir, Node *a, Node *b)
{
    Vec all = {0};
    Node *both[] = {a, b};
    for (int i = 0; i < 2; i++)
        for (int j = 0; j < (both[i]->kind == N_BLOCK ? both[i]->nkids : 1); j++)
            vec_push(ir->arena, &all, both[i]->kind == N_BLOCK ? both[i]->kid[j] : both[i]);
    return mk_block(ir, all.count, (Node **)all.items, a->loc);
}

static bool is_element(void *user, Node *n)
{
    const Sym *var = user;
    bool found = false;
    for (int d = 0; n->kind == N_STORE && d < n->nkids - 1; d++)
        found = found || uses_sym(n->kid[d], var);
    return found;
}

static bool has_elements(void *user, Node *n)
{
    (void)user;
    return n->kind == N_FOR && any_stmt(n->kid[2], is_element, n->sym);
}

/* Do loops in the statement store to elements of their own? */
static bool stores_elements(Node *n) { return any_stmt(n, has_elements, NULL); }

/* Loops a with nothing between them, which have a loop at the end for each element; b: the same, with none. */
static bool is_pointwise_behind(Ir *ir, Node *a, Node *b)
{
    for (Node *inner_b = b; inner_b->kind == N_FOR; inner_b = only_statement(inner_b->kid[2]), a = only_statement(a->kid[2])) {
        if (a->kind != N_FOR || !same_range(a, inner_b, ir))
            return false;
        b = inner_b;
    }
    return !has_kind(b->kid[2], N_FOR) && has_kind(a, N_FOR) && !stores_elements(a);
}

enum { MOST_LOOPS = 16 };

/* Who reads arrays that a loop stores. */
typedef struct Readers {
    Ir *ir;
    Node *writer;
    Node *loop[MOST_LOOPS]; /* around, outermost first */
    int depth;
    bool gathers; /* some loop sums up rows of one, or the like */
} Readers;

static bool enter_reader(void *user, Node *n)
{
    Readers *r = user;
    if (n->kind == N_FOR && r->depth++ < MOST_LOOPS)
        r->loop[r->depth - 1] = n;
    if (n->kind == N_LOAD && n->sym->kind == S_LOCAL_ARRAY && r->depth == n->sym->rank && r->depth <= MOST_LOOPS &&
        writes_sym(r->writer, n->sym))
        r->gathers = r->gathers || !loop_is_parallel(r->ir, r->loop[r->depth - 1]);
    return true;
}

static void leave_reader(void *user, Node *n)
{
    Readers *r = user;
    r->depth -= n->kind == N_FOR;
}

/* Are rows of what `writer` stores summed up, or the like? Then that goes over them anyway, and is the better place. */
static bool rows_are_gathered(const Merger *m, Node *writer)
{
    Readers r = {.ir = m->ir, .writer = writer};
    walk(&(Walker){enter_reader, leave_reader, &r}, m->whole);
    return r.gathers;
}

static Node *merge(void *user, Node *n);

/* How many loops, each all there is in the one around it, have iterations that run at the same time. */
static int parallel_depth(Ir *ir, Node *n)
{
    int depth = 0;
    while (n->kind == N_FOR && loop_is_parallel(ir, n)) {
        depth++;
        n = only_statement(n->kid[2]);
    }
    return depth;
}

typedef struct UseCount {
    const Sym *sym;
    int uses;
} UseCount;

static void count_use(void *user, Node *n)
{
    UseCount *c = user;
    c->uses += (n->kind == N_LOAD || n->kind == N_STORE) && n->sym == c->sym;
}

static int uses_of(const Sym *sym, Node *n)
{
    UseCount c = {sym, 0};
    walk(&(Walker){.post = count_use, .user = &c}, n);
    return c.uses;
}

typedef struct Vanishing {
    const Merger *m;
    Node *a, *b;
    bool fits;
} Vanishing;

static bool note_lasting(void *user, Node *n)
{
    Vanishing *v = user;
    if (n->kind == N_STORE)
        v->fits = v->fits && n->sym->kind == S_LOCAL_ARRAY &&
                  uses_of(n->sym, v->m->for_threads) == uses_of(n->sym, v->a) + uses_of(n->sym, v->b);
    return v->fits && !is_expr(n);
}

/* Is nothing stored but elements of arrays that these two alone know? */
static bool stores_vanish(const Merger *m, Node *a, Node *b)
{
    Vanishing v = {m, a, b, true};
    walk(&(Walker){.pre = note_lasting, .user = &v}, a);
    walk(&(Walker){.pre = note_lasting, .user = &v}, b);
    return v.fits;
}

/* Loops, each all there is in the one around it. */
static bool is_perfect(Node *n)
{
    while (n->kind == N_FOR)
        n = only_statement(n->kid[2]);
    return !has_kind(n, N_FOR);
}

/* Elements of which each has a thread go together while each keeps it; rows that are reduced are as many threads' as there are
 * rows, and what goes along them may join in. Sums of everything are a matter of many blocks, if they are one loop, or loops in
 * loops that store nothing else. */
static bool keeps_threads(const Merger *m, Node *a, Node *b, Node *one)
{
    const int of_a = parallel_depth(m->ir, a), of_b = parallel_depth(m->ir, b);
    if (!of_a || !of_b)
        return !has_kind(one->kid[2], N_FOR) || (is_perfect(merge((void *)m, one)) && stores_vanish(m, a, b));
    return parallel_depth(m->ir, merge((void *)m, one)) >= (of_a < of_b ? of_a : of_b);
}

/* Does one of the two store an array that keeps loops apart, and the other one use it? */
static bool are_kept_apart(const Merger *m, Node *a, Node *b)
{
    bool found = false;
    for (int i = 0; m->apart && i < m->apart->count; i++) {
        const Sym *array = m->apart->items[i];
        found = found || (uses_sym(a, array) && uses_sym(b, array) && (writes_sym(a, array) || writes_sym(b, array)));
    }
    return found;
}

/* The two as one loop; NULL when that is not the same, or not related. */
static Node *joined(const Merger *m, Node *a, Node *b)
{
    Ir *ir = m->ir;
    if (m->whole && (!is_pointwise_behind(ir, a, b) || rows_are_gathered(m, b)))
        return NULL;
    if (are_kept_apart(m, a, b))
        return NULL;
    if (b->kind != N_FOR || !loop_declares(a) || !loop_declares(b) || !same_range(a, b, ir) || !share_an_array(ir, a, b))
        return NULL;
    Node *body = flat_block(ir, a->kid[2], rename_sym(ir, b->kid[2], b->sym, a->sym));
    body = m->whole ? merge((void *)m, body) : body; /* what comes next must find one loop there */
    Node *kids[] = {a->kid[0], a->kid[1], body};
    Node *one = with_kids(ir, a, 3, kids);
    const bool fits = loop_is_unordered(ir, one, m->strict) && loop_is_unordered(ir, a, m->strict) && loop_is_unordered(ir, b, m->strict);
    return fits && (!m->for_threads || m->is_inside || keeps_threads(m, a, b, one)) ? one : NULL;
}

/* ---------------------------------------------------------------- statements */

/* Puts the loop at `to` and the one at `from`, further down, in one: what the latter needs of the statements between goes before
 * them, the rest stays behind. False when that cannot be. */
static bool join(const Merger *m, Vec *list, int to, int from)
{
    Node **all = (Node **)list->items, *one = joined(m, all[to], all[from]);
    if (!one)
        return false;
    const int nsyms = m->ir->nsyms, between = from - to - 1;
    const Touches *first = touches_of(m->ir, all[to]), *touches[MOST_APART + 1];
    bool goes_up[MOST_APART + 1] = {false};
    for (int i = 0; i <= between; i++)
        touches[i] = touches_of(m->ir, all[to + 1 + i]);
    goes_up[between] = true;
    for (int i = between - 1; i >= 0; i--)
        for (int j = i + 1; j <= between && !goes_up[i]; j++)
            goes_up[i] = goes_up[j] && conflict(touches[i], touches[j], nsyms);
    for (int i = 0; i < between; i++)
        if (goes_up[i] && conflict(first, touches[i], nsyms))
            return false;
    Node *sorted[MOST_APART + 1];
    int n = 0;
    for (int i = 0; i < between; i++)
        if (goes_up[i])
            sorted[n++] = all[to + 1 + i];
    sorted[n++] = one;
    for (int i = 0; i < between; i++)
        if (!goes_up[i])
            sorted[n++] = all[to + 1 + i];
    for (int i = 0; i < n; i++)
        all[to + i] = sorted[i];
    for (int i = from; i + 1 < list->count; i++)
        all[i] = all[i + 1];
    list->count--;
    return true;
}

static Node *merged_block(const Merger *m, Node *n)
{
    Vec list = {0};
    bool changed = false;
    for (int i = 0; i < n->nkids; i++)
        vec_push(m->ir->arena, &list, n->kid[i]);
    for (int from = 1; from < list.count; from++) {
        if (((Node *)list.items[from])->kind != N_FOR)
            continue;
        for (int to = from > MOST_APART ? from - MOST_APART : 0; to < from; to++)
            if (((Node *)list.items[to])->kind == N_FOR && join(m, &list, to, from)) {
                changed = true;
                from = to; /* others may follow what went behind */
                break;
            }
        arena_reset(m->ir->scratch);
    }
    return changed ? mk_block(m->ir, list.count, (Node **)list.items, n->loc) : n;
}

/* Outer loops first: their bodies then have more that may go together. */
static Node *merge(void *user, Node *n)
{
    const Merger *m = user;
    if (is_expr(n))
        return n;
    Node *outer = n->kind == N_BLOCK ? merged_block(m, n) : n;
    Node **kids = arena_new_array(m->ir->arena, Node *, outer->nkids + 1);
    Merger inner = *m;
    inner.is_inside = m->is_inside || (m->for_threads && n->kind == N_FOR && loop_is_parallel(m->ir, n));
    for (int i = 0; i < outer->nkids; i++)
        kids[i] = merge(&inner, outer->kid[i]);
    return with_kids(m->ir, outer, outer->nkids, kids);
}

Node *merge_loops(Ir *ir, Node *body, bool strict, bool for_threads, const Vec *apart)
{
    Merger m = {.ir = ir, .strict = strict, .for_threads = for_threads ? body : NULL, .apart = apart};
    return merge(&m, body);
}

Node *merge_pointwise(Ir *ir, Node *body, bool strict)
{
    Merger m = {.ir = ir, .strict = strict, .whole = body};
    return merge(&m, body);
}
