/* SPDX-License-Identifier: GPL-3.0-or-later */
/* From the last stage to the first: what it hands on must be there for all rows that the later ones read. An array that is no window has
 * its elements touched in one row alone. */
#include "plan/chains/chain_rows.h"

#include "depend/distance.h"
#include "depend/index.h"
#include "depend/poly.h"
#include "ir/sym_map.h"
#include "ir/walk.h"
#include "plan/temporary.h"

enum { MOST_BESIDE = 16 }; /* rows besides a block's */

/* An array that some stage stores to. */
typedef struct Handed {
    Sym *array;
    bool is_window;
    bool by_rows; /* its subscripts are the variable of the loop around, then a row's plus a constant */
    int writers, writer;        /* how many stages store to it, the last of them */
    int64_t offset;             /* that the writer's subscript has beyond its row */
    bool offsets_differ;        /* of several accesses of the writer */
    bool offset_known;
    int64_t before, after;      /* rows besides a block's */
} Handed;

typedef struct Search {
    ChainRun *run;
    Map known; /* by symbol id: Handed * */
    Vec all;
    int stage;
} Search;

static bool note_stored(void *user, Node *n)
{
    Search *s = user;
    Ir *ir = s->run->ir;
    if (n->kind != N_STORE)
        return !is_expr(n);
    void **at = map_at(ir->arena, &s->known, n->sym->id);
    if (!*at) {
        *at = arena_alloc(ir->arena, sizeof(Handed));
        *(Handed *)*at = (Handed){.array = n->sym, .by_rows = true, .writer = -1};
        vec_push(ir->arena, &s->all, *at);
    }
    Handed *h = *at;
    h->writers += h->writer != s->stage;
    h->writer = s->stage;
    return true;
}

/* The array's row that an access touches, relative to the stage's; false: its subscripts are others. */
static bool row_of(const ChainRun *run, int stage, const Node *access, int64_t *offset)
{
    Ir *ir = run->ir;
    const int at = run->nouter;
    if (access->sym->rank <= at)
        return false;
    for (int i = 0; i < at; i++)
        if (!is_converted_var(access->kid[i], run->around[i]))
            return false;
    const Poly *row = poly_sub(ir, poly_of(ir, access->kid[at]), poly_of(ir, mk_var(ir, run->loop[stage]->sym)));
    for (int d = at + 1; d < access->sym->rank; d++)
        if (uses_sym(access->kid[d], run->loop[stage]->sym))
            return false;
    return poly_const(row, offset) && *offset >= -MOST_BESIDE && *offset <= MOST_BESIDE;
}

static bool note_rows(void *user, Node *n)
{
    Search *s = user;
    Handed *h = n->kind == N_LOAD || n->kind == N_STORE ? map_get(&s->known, n->sym->id) : NULL;
    int64_t offset;
    if (!h)
        return true;
    if (!row_of(s->run, s->stage, n, &offset)) {
        h->by_rows = false;
    } else if (h->writer == s->stage) {
        h->offsets_differ = h->offsets_differ || (h->offset_known && h->offset != offset);
        h->offset = offset;
        h->offset_known = true;
    }
    return true;
}

bool chain_touches(const ChainRun *run, int i, const Sym *array) { return uses_sym(run->loop[i], array); }

/* ---------------------------------------------------------------- windows */

static bool is_stage(const ChainRun *run, const Contraction *c, const HostNest *nest)
{
    for (int i = 0; i < run->n; i++)
        if ((c && run->stage[i].product == c) || (nest && run->stage[i].nest == nest))
            return true;
    return false;
}

/* A contraction's statement names its output. */
static bool note_named(void *user, Node *n)
{
    const Sym *array = user;
    return n->sym == array && n->kind != N_CONTRACT;
}

/* A local array that nothing outside the stages touches. */
static bool is_own(const ChainRun *run, const Sym *array)
{
    const Plan *plan = run->plan;
    bool is_local = false;
    for (int i = 0; i < plan->ntemporaries; i++)
        is_local = is_local || plan->temporaries[i].array == array;
    for (int i = 0; i < contraction_count(plan) && is_local; i++)
        is_local = is_stage(run, contraction_at(plan, i), NULL) || !contraction_uses(contraction_at(plan, i), array);
    for (int i = 0; i < host_nest_count(plan) && is_local; i++)
        is_local = is_stage(run, NULL, host_nest_at(plan, i)) || !uses_sym(host_nest_at(plan, i)->source, array);
    return is_local && !any_node(plan->func->body, note_named, (void *)array);
}

/* Accesses of later stages than the writer raise the rows that are wanted; those of earlier ones make it no window. */
typedef struct Raising {
    const ChainRun *run;
    Handed *h;
    int stage;
} Raising;

static bool raise_rows(void *user, Node *n)
{
    const Raising *r = user;
    const ChainStage *s = &r->run->stage[r->stage];
    int64_t offset;
    if ((n->kind != N_LOAD && n->kind != N_STORE) || n->sym != r->h->array)
        return true;
    row_of(r->run, r->stage, n, &offset);
    r->h->before = s->before - offset > r->h->before ? s->before - offset : r->h->before;
    r->h->after = s->after + offset > r->h->after ? s->after + offset : r->h->after;
    return true;
}

static void raise(const ChainRun *run, Handed *h, int stage)
{
    Raising r = {run, h, stage};
    walk(&(Walker){.pre = raise_rows, .user = &r}, run->loop[stage]);
}

/* What the stage must compute besides a block's rows for those behind it. */
static void settle_stage(const ChainRun *run, const Vec *all, ChainStage *s, int stage)
{
    for (int i = 0; i < all->count; i++) {
        Handed *h = all->items[i];
        if (!h->is_window || h->writer != stage)
            continue;
        for (int j = stage + 1; j < run->n; j++)
            raise(run, h, j);
        s->before = h->before + h->offset > s->before ? h->before + h->offset : s->before;
        s->after = h->after - h->offset > s->after ? h->after - h->offset : s->after;
    }
}

/* ---------------------------------------------------------------- legality */

/* Of one array alone. */
static Accesses only_of(Ir *ir, const Accesses *all, const Sym *array)
{
    Accesses some = *all;
    some.all = (Vec){0};
    for (int i = 0; i < all->all.count; i++)
        if (((const Access *)all->all.items[i])->node->sym == array)
            vec_push(ir->arena, &some.all, all->all.items[i]);
    return some;
}

/* Is the array touched in the same row by all stages? */
static bool stays_in_row(const ChainRun *run, const Accesses *all, const Handed *h, const char **why)
{
    Ir *ir = run->ir;
    Accesses some = only_of(ir, all, h->array);
    int64_t d = 0;
    Carried met;
    for (int i = 0; i < run->n; i++)
        for (int j = 0; j < run->n; j++) {
            if (!chain_touches(run, i, h->array) || !chain_touches(run, j, h->array) ||
                (loop_distance(&some, run->loop[i], run->loop[j], &d, &met) && !d))
                continue;
            *why = arena_printf(ir->arena, "%s is touched in other rows as well", h->array->name);
            return false;
        }
    return true;
}

/* A stage that computes rows besides a block's may store but to windows of its own, and read but such windows of what the chain stores. */
static bool may_repeat(const ChainRun *run, const Vec *all, int stage)
{
    for (int i = 0; i < all->count; i++) {
        const Handed *h = all->items[i];
        if (chain_touches(run, stage, h->array) && (!h->is_window || h->writers > 1))
            return false;
    }
    return true;
}

/* With several loops around, iterations of all but the outermost must be as many as the array has room for: they are numbered on. */
static bool is_numbered_on(const ChainRun *run, const Sym *array)
{
    for (int i = 1; i < run->nouter; i++)
        if (!poly_equal(poly_of(run->ir, run->extent[i]), poly_of(run->ir, widen(run->ir, array->extent[i]))))
            return false;
    return true;
}

static bool is_read_before(const ChainRun *run, const Handed *h)
{
    for (int i = 0; i < h->writer; i++)
        if (h->writers == 1 && chain_touches(run, i, h->array))
            return true;
    return false;
}

static Node *product_of(Ir *ir, const Sym *array, int from)
{
    Node *product = ix_int(ir, 1);
    for (int d = from; d < array->rank; d++)
        product = ix_mul(ir, product, widen(ir, array->extent[d]));
    return product;
}

static ChainWindow *window_of(const ChainRun *run, const Handed *h)
{
    Ir *ir = run->ir;
    ChainWindow *w = arena_alloc(ir->arena, sizeof *w);
    *w = (ChainWindow){.array = h->array, .before = h->before, .after = h->after};
    w->rows = widen(ir, h->array->extent[run->nouter]);
    w->row = product_of(ir, h->array, run->nouter + 1);
    for (int i = 0; i < run->n; i++)
        w->touched += chain_touches(run, i, h->array);
    return w;
}

bool chain_rows(ChainRun *run, Vec *windows, const char **why)
{
    Ir *ir = run->ir;
    Search s = {.run = run};
    Accesses all = find_accesses(ir, mk_block(ir, run->n, run->loop, (Loc){0, 0}));
    *why = NULL;
    *windows = (Vec){0};
    if (all.failed)
        return false;
    for (s.stage = 0; s.stage < run->n; s.stage++)
        walk(&(Walker){.pre = note_stored, .user = &s}, run->loop[s.stage]);
    for (s.stage = 0; s.stage < run->n; s.stage++)
        walk(&(Walker){.pre = note_rows, .user = &s}, run->loop[s.stage]);
    for (int i = 0; i < s.all.count; i++) {
        Handed *h = s.all.items[i];
        h->is_window = h->by_rows && !h->offsets_differ && is_own(run, h->array) && is_numbered_on(run, h->array) &&
                       !is_read_before(run, h) && (h->writers == 1 || stays_in_row(run, &all, h, why));
        if (!h->is_window && !stays_in_row(run, &all, h, why))
            return false;
    }
    for (int i = run->n - 1; i >= 0; i--) {
        ChainStage *stage = &run->stage[i];
        stage->before = stage->after = 0;
        settle_stage(run, &s.all, stage, i);
        if ((stage->before || stage->after) && (!may_repeat(run, &s.all, i) || stage->before > MOST_BESIDE || stage->after > MOST_BESIDE))
            return false;
    }
    for (int i = 0; i < s.all.count; i++) {
        Handed *h = s.all.items[i];
        for (int j = 0; j < run->n && h->is_window; j++)
            raise(run, h, j);
        if (h->is_window)
            vec_push(ir->arena, windows, window_of(run, h));
    }
    return true;
}
