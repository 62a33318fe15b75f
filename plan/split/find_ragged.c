/* SPDX-License-Identifier: GPL-3.0-or-later */
/* A loop becomes a ragged batch if declarations and contractions are all of its body, and something about them differs from iteration to
 * iteration that a batch dimension could not say. */
#include "plan/split/find_ragged.h"

#include <string.h>

#include "depend/index.h"
#include "depend/parallel.h"
#include "ir/branch.h"
#include "ir/walk.h"
#include "plan/add_remark.h"
#include "plan/contract/remarks.h"
#include "plan/captures.h"

typedef struct Search {
    Ir *ir;
    Plan *plan;
    const PlanOptions *opt;
    Vec found; /* RaggedBatch * */
} Search;

/* A loop on trial. */
typedef struct Candidate {
    Ir *ir;
    const Plan *plan;
    RaggedBatch *batch;
    Vec declarations; /* Node * */
    Vec products;     /* Contraction * */
    Vec written;      /* Sym *: arrays */
    const LoopDim *range; /* rows that iterations have to themselves; NULL: none has been needed */
} Candidate;

static bool has(const Vec *list, const void *item)
{
    for (int i = 0; i < list->count; i++)
        if (list->items[i] == item)
            return true;
    return false;
}

/* ---------------------------------------------------------------- the body */

/* The product that stands alone, or under a condition that only says from which size on it pays; NULL: neither. */
static Contraction *product_of(const Plan *plan, Node *stmt)
{
    Node *n = stmt->kind == N_IF ? only_statement(stmt->kid[1]) : stmt;
    Contraction *c = n->kind == N_CONTRACT ? contraction_at(plan, n->u.i) : NULL;
    if (!c || c->applies.is_otherwise || c->applies.otherwise || c->with.in_chain || (stmt->kind == N_IF && !c->applies.leaves_small))
        return NULL;
    return c;
}

static bool reads_nothing_else(void *user, Node *n)
{
    bool *plain = user;
    *plain = *plain && n->kind != N_CALL;
    return *plain;
}

static bool is_scalar(Node *n)
{
    bool plain = n->kind == N_DECL && !n->sym->rank && n->nkids == 1;
    walk(&(Walker){.pre = reads_nothing_else, .user = &plain}, n);
    return plain;
}

static bool take_body(Candidate *c, Node *body)
{
    Ir *ir = c->ir;
    const int n = body->kind == N_BLOCK ? body->nkids : 1;
    for (int i = 0; i < n; i++) {
        Node *stmt = body->kind == N_BLOCK ? body->kid[i] : body;
        Contraction *product = product_of(c->plan, stmt);
        if (product)
            vec_push(ir->arena, &c->products, product);
        else if (is_scalar(stmt))
            vec_push(ir->arena, &c->declarations, stmt);
        else
            return false;
    }
    return c->products.count > 0;
}

/* ---------------------------------------------------------------- who touches what */

typedef struct Stores {
    Arena *arena;
    Vec *written;
} Stores;

static bool note_store(void *user, Node *n)
{
    Stores *s = user;
    if (n->kind == N_STORE && !has(s->written, n->sym))
        vec_push(s->arena, s->written, n->sym);
    return !is_expr(n);
}

/* All accesses to one array: is it the batch's number that each has at subscript `at`, or a loop over the same range? */
typedef struct Accesses {
    const Candidate *candidate;
    const Contraction *product; /* the one that is looked at */
    const Sym *array;
    int at;
    bool by_number, by_range;
    const LoopDim *range;
} Accesses;

/* The expression in terms of what declarations say: two that read the same element are one. */
static Node *resolved(const Candidate *c, Node *e)
{
    for (int i = c->declarations.count - 1; i >= 0; i--) {
        const Node *declaration = c->declarations.items[i];
        e = substitute(c->ir, e, declaration->sym, declaration->kid[0]);
    }
    return e;
}

static bool is_same_range(const Candidate *c, const LoopDim *a, const LoopDim *b)
{
    return resolved(c, a->lo) == resolved(c, b->lo) && resolved(c, a->extent) == resolved(c, b->extent);
}

/* Does it differ from iteration to iteration? */
static bool is_own(const Candidate *c, const LoopDim *dim)
{
    return uses_sym(resolved(c, dim->lo), c->batch->loop) || uses_sym(resolved(c, dim->extent), c->batch->loop);
}

static const LoopDim *dim_of(const Contraction *c, const Node *subscript)
{
    for (int i = 0; i < c->ndims; i++)
        if (is_converted_var(subscript, c->dims[i].var))
            return &c->dims[i];
    return NULL;
}

static bool look_at_access(void *user, Node *n)
{
    Accesses *a = user;
    if ((n->kind != N_LOAD && n->kind != N_STORE) || n->sym != a->array)
        return true;
    const Node *subscript = n->kid[a->at];
    const LoopDim *dim = dim_of(a->product, subscript);
    a->by_number = a->by_number && is_converted_var(subscript, a->candidate->batch->loop);
    a->by_range = a->by_range && dim && dim->step == 1 && is_own(a->candidate, dim) &&
                  (!a->range || is_same_range(a->candidate, dim, a->range));
    a->range = dim;
    return true;
}

/* Has each iteration elements of the array to itself? */
static bool is_apart(Candidate *c, const Sym *array)
{
    for (int at = 0; at < array->rank; at++) {
        Accesses a = {.candidate = c, .array = array, .at = at, .by_number = true, .by_range = true, .range = c->range};
        for (int i = 0; i < c->products.count; i++) {
            const Contraction *product = a.product = c->products.items[i];
            const Walker look = {.pre = look_at_access, .user = &a};
            walk(&look, product->a.value);
            walk(&look, product->b.value);
            walk(&look, product->epilogue);
        }
        if (a.by_number)
            return true;
        if (a.by_range) {
            c->range = a.range;
            return true;
        }
    }
    return false;
}

static bool are_apart(Candidate *c)
{
    Ir *ir = c->ir;
    for (int i = 0; i < c->products.count; i++) {
        const Contraction *product = c->products.items[i];
        walk(&(Walker){.pre = note_store, .user = &(Stores){ir->arena, &c->written}}, product->epilogue);
    }
    for (int i = 0; i < c->written.count; i++) {
        const Sym *array = c->written.items[i];
        for (int j = 0; j < c->declarations.count; j++)
            if (reads_array(c->declarations.items[j], array))
                return false;
        if (array->rank == 0 || !is_apart(c, array))
            return false;
    }
    return true;
}

/* Do the products' extents differ from iteration to iteration? */
static bool is_ragged(const Candidate *c)
{
    for (int i = 0; i < c->products.count; i++) {
        const Contraction *product = c->products.items[i];
        for (int d = 0; d < product->ndims; d++)
            if (is_own(c, &product->dims[d]))
                return true;
    }
    return false;
}

/* ---------------------------------------------------------------- on a GPU */

typedef struct Lookup {
    const Func *func;
    bool reads, elsewhere;
} Lookup;

static bool look_up(void *user, Node *n)
{
    Lookup *l = user;
    bool parameter = false;
    for (int i = 0; i < l->func->nparams; i++)
        parameter = parameter || l->func->params[i] == n->sym;
    l->reads = l->reads || n->kind == N_LOAD;
    l->elsewhere = l->elsewhere || (n->kind == N_LOAD && !parameter);
    return true;
}

/* Does an iteration begin with what only the device can read, from arrays that no other loop could be merged with? */
static bool reads_parameters(const Candidate *c)
{
    Lookup l = {c->plan->func, false, false};
    for (int i = 0; i < c->declarations.count; i++)
        walk(&(Walker){.pre = look_up, .user = &l}, c->declarations.items[i]);
    return l.reads && !l.elsewhere;
}

/* Products of a GPU have kernels whatever their size. */
static bool are_whole(const Candidate *c)
{
    bool whole = true;
    for (int i = 0; i < c->products.count; i++) {
        const Contraction *product = c->products.items[i];
        whole = whole && !product->applies.condition;
    }
    return whole;
}

/* Can the device do it all by itself, given the operator's parameters? */
static bool fits_device(const Candidate *c, Node *loop)
{
    Captures captures = {.ir = c->ir};
    capture_free(&captures, loop);
    return captures.found.count == 0 && reads_parameters(c) && are_whole(c);
}

/* The extent of the dimension that the loop's variable is a subscript of. */
typedef struct Reached {
    const LoopDim *dim;
    Node *extent;
} Reached;

static bool find_reached(void *user, Node *n)
{
    Reached *r = user;
    const bool is_access = n->kind == N_LOAD || n->kind == N_STORE;
    for (int i = 0; is_access && i < n->sym->rank && !r->extent; i++)
        if (is_converted_var(n->kid[i], r->dim->var))
            r->extent = n->sym->extent[i];
    return !r->extent;
}

/* What the host takes a loop's trip count to be: where memory says where it begins, all iterations have the array's dimension together; else
 * each of them has. */
static Node *usual_count(const Candidate *c, const Contraction *product, const LoopDim *dim)
{
    enum { UNKNOWN = 64 };
    Ir *ir = c->ir;
    Reached r = {.dim = dim};
    if (!is_own(c, dim))
        return dim->extent;
    walk(&(Walker){.pre = find_reached, .user = &r}, product->a.value);
    walk(&(Walker){.pre = find_reached, .user = &r}, product->b.value);
    walk(&(Walker){.pre = find_reached, .user = &r}, product->epilogue);
    if (!r.extent)
        return ix_int(ir, UNKNOWN);
    Node *all = widen(ir, r.extent), *groups = ix_max(ir, c->batch->count, ix_int(ir, 1));
    if (!uses_sym(resolved(c, dim->lo), c->batch->loop))
        return all;
    return ix_div(ir, ix_add(ir, all, ix_sub(ir, groups, ix_int(ir, 1))), groups);
}

static void set_usual(const Candidate *c, Contraction *product)
{
    Ir *ir = c->ir;
    for (int role = 0; role < R_COUNT; role++)
        product->with.usual[role] = role == R_BATCH ? c->batch->count : ix_int(ir, 1);
    for (int i = 0; i < product->ndims; i++) {
        Node **usual = &product->with.usual[product->dims[i].role];
        *usual = ix_mul(ir, *usual, usual_count(c, product, &product->dims[i]));
    }
}

/* ---------------------------------------------------------------- the batch */

/* The product runs however small it is. */
static void always(Contraction *c)
{
    Node *batches = c->extent[R_BATCH];
    if (c->applies.condition && batches->kind == N_SEL && batches->kid[0] == c->applies.condition)
        c->extent[R_BATCH] = batches->kid[1];
    c->applies.condition = NULL;
}

/* Loops that would have had it otherwise are no longer there to be spoken of. */
static bool speaks_of(const PlanRemark *remark, const Node *body)
{
    bool yes = false;
    for (int i = 0; i < (body->kind == N_BLOCK ? body->nkids : 1); i++) {
        const Node *stmt = body->kind == N_BLOCK ? body->kid[i] : body;
        yes = yes || (stmt->kind == N_IF && stmt->nkids == 3 && stmt->kid[2]->loc.beg == remark->loc.beg);
    }
    return yes && strcmp(remark->text, remark_of_small) == 0;
}

static void forget_small(Plan *plan, const Node *body)
{
    int kept = 0;
    for (int i = 0; i < plan->remarks.count; i++)
        if (!speaks_of(plan->remarks.items[i], body))
            plan->remarks.items[kept++] = plan->remarks.items[i];
    plan->remarks.count = kept;
}

/* What hands the scalars over, as one iteration of the loop has them. */
static Func *group_of(Ir *ir, const Candidate *c)
{
    RaggedBatch *batch = c->batch;
    Sym *index = sym_new(ir, S_PARAM, T_INDEX, "mik_index", batch->loc);
    Func *f = arena_alloc(ir->arena, sizeof *f);
    *f = (Func){.name = arena_printf(ir->arena, "%s_group", batch->stem), .result = T_VOID, .nparams = 1, .loc = batch->loc};
    f->params = arena_new_array(ir->arena, Sym *, 1);
    f->params[0] = index;
    batch->number = sym_new(ir, S_LOCAL, batch->loop->type, batch->loop->name, batch->loc);
    Node *number = ix_add(ir, batch->from, mk_var(ir, index));
    Vec body = {0};
    Captures captures = {.ir = ir};
    vec_push(ir->arena, &body, mk_decl(ir, batch->number, mk_cast(ir, batch->loop->type, number), batch->loc));
    for (int i = 0; i < c->declarations.count; i++)
        vec_push(ir->arena, &body, rename_sym(ir, c->declarations.items[i], batch->loop, batch->number));
    for (int i = 0; i < c->products.count; i++) {
        const Contraction *product = c->products.items[i];
        capture_all(&captures, product->captured, product->ncaptured);
    }
    if (batch->first) {
        capture_used(&captures, batch->first);
        capture_used(&captures, batch->end);
    }
    Node *launch = mk_launch_of(ir, STAGE_RAGGED, 0, captures.found.count, handed_over(ir, &captures.found, batch->loc), batch->loc);
    vec_push(ir->arena, &body, rename_sym(ir, launch, batch->loop, batch->number));
    f->body = mk_block(ir, body.count, (Node **)body.items, batch->loc);
    return f;
}

static Node *launch_ragged(Search *s, Candidate *c, Node *loop, const Bounds *b)
{
    Ir *ir = s->ir;
    RaggedBatch *batch = c->batch;
    Captures captures = {.ir = ir};
    batch->stem = arena_printf(ir->arena, "%s_ragged%d", s->plan->func->name, s->found.count + 1);
    batch->loc = loop->loc;
    batch->members = (Stage **)c->products.items;
    batch->nmembers = c->products.count;
    batch->from = widen(ir, b->lo);
    batch->count = trip_count(ir, loop);
    if (c->range) {
        batch->first = widen(ir, c->range->lo);
        batch->end = ix_add(ir, batch->first, c->range->extent);
    }
    forget_small(s->plan, loop->kid[2]);
    batch->group = group_of(ir, c);
    capture_free(&captures, loop);
    batch->captured = (Sym **)captures.found.items;
    batch->ncaptured = captures.found.count;
    for (int i = 0; i < c->products.count; i++) {
        Contraction *product = c->products.items[i];
        always(product);
        product->with.ragged = batch;
        set_usual(c, product);
        add_remark(ir, &s->plan->remarks, product->loc, REMARK_OPTIMIZED, s->opt->cuda,
                   s->opt->cuda ? "part of a ragged batch: one launch computes the GEMMs of all iterations of the loop around"
                                : "part of a ragged batch: workers share the GEMMs of all iterations of the loop around");
    }
    vec_push(ir->arena, &s->found, batch);
    return mk_launch_of(ir, STAGE_RAGGED, s->found.count - 1, captures.found.count, handed_over(ir, &captures.found, loop->loc), loop->loc);
}

static bool take_loop(Candidate *c, const PlanOptions *opt, Node *n, Bounds *b)
{
    return n->kind == N_FOR && loop_declares(n) && for_bounds(n, b) && b->step == 1 && (b->cmp == N_LT || b->cmp == N_LE) &&
           !reads_array(b->lo, NULL) && !reads_array(b->hi, NULL) && take_body(c, n->kid[2]) && is_ragged(c) && are_apart(c) &&
           (!opt->cuda || fits_device(c, n));
}

static Node *try_loop(void *user, Node *n)
{
    Search *s = user;
    Bounds b;
    if (n->kind != N_FOR)
        return n;
    RaggedBatch *batch = arena_alloc(s->ir->arena, sizeof *batch);
    *batch = (RaggedBatch){.loop = n->sym};
    Candidate c = {.ir = s->ir, .plan = s->plan, .batch = batch};
    return take_loop(&c, s->opt, n, &b) ? launch_ragged(s, &c, n, &b) : n;
}

bool is_ragged_loop(Ir *ir, const Plan *plan, const PlanOptions *opt, Node *loop)
{
    Bounds b;
    RaggedBatch batch = {.loop = loop->sym};
    Candidate c = {.ir = ir, .plan = plan, .batch = &batch};
    return take_loop(&c, opt, loop, &b);
}

void find_ragged(Ir *ir, Plan *plan, const PlanOptions *opt)
{
    Search s = {.ir = ir, .plan = plan, .opt = opt};
    plan->func->body = rewrite(&(Rewriter){.ir = ir, .post = try_loop, .user = &s}, plan->func->body);
    set_stages(ir->arena, &plan->stages, STAGE_RAGGED, &s.found);
}
