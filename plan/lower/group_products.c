/* SPDX-License-Identifier: GPL-3.0-or-later */
/* A group grows by the product that follows, as long as it fits. */
#include "plan/lower/group_products.h"

#include "ir/walk.h"
#include "plan/add_remark.h"

typedef struct Grouping {
    Ir *ir;
    Plan *plan;
    Vec groups;
} Grouping;

/* One stage on its own, on plain operands: the whole nest, one batch, no scalars handed over. */
static bool may_join(const Contraction *c)
{
    bool batches = false;
    for (int i = 0; i < c->ndims; i++)
        batches = batches || c->dims[i].role == R_BATCH;
    return !batches && !c->applies.condition && !c->applies.otherwise && !c->applies.is_otherwise && c->ncaptured == 0 && c->a.in_place &&
           c->b.in_place;
}

/* Do both strides say that neighbours in memory are meant, or both not? */
static bool goes_alike(const Node *stride, const Node *other) { return is_int(stride, 1) == is_int(other, 1); }

/* Do the kernels of one serve the other, with the same rows of the same A? Types, and which neighbours in memory they are made for. */
static bool have_a_in_common(const Contraction *c, const Contraction *d)
{
    const Operand *a = &c->a, *b = &d->a;
    return c->family == d->family && c->acc == d->acc && c->tf32 == d->tf32 && a->array == b->array && a->base == b->base &&
           a->stride[R_M] == b->stride[R_M] && a->stride[R_K] == b->stride[R_K] && c->extent[R_M] == d->extent[R_M] &&
           c->extent[R_K] == d->extent[R_K] && a->value->type == b->value->type && c->b.value->type == d->b.value->type &&
           goes_alike(c->b.stride[R_K], d->b.stride[R_K]) && goes_alike(c->b.stride[R_N], d->b.stride[R_N]) &&
           c->c.value->type == d->c.value->type && !c->lowered.hooks[HOOK_FINISHED].func == !d->lowered.hooks[HOOK_FINISHED].func;
}

static bool count_stores(void *user, Node *n)
{
    *(int *)user += n->kind == N_STORE;
    return !is_expr(n);
}

/* The store in which a product's point hook ends; NULL: it may do without, or has others. */
static Node *only_store(const Contraction *c)
{
    Node *body = c->lowered.hooks[HOOK_POINT].func->body, *store = body;
    int stores = 0;
    walk(&(Walker){.pre = count_stores, .user = &stores}, body);
    while (store->kind == N_BLOCK && store->nkids)
        store = store->kid[store->nkids - 1];
    return store->kind == N_STORE && stores == 1 ? store : NULL;
}

/* What `later` reads of the array into which `first` stores: at its own element alone? */
typedef struct Reading {
    const Sym *array;
    Node *const *subscripts;
    bool reads, elsewhere;
} Reading;

static bool look_at_reading(void *user, Node *n)
{
    Reading *r = user;
    if (n->kind != N_LOAD || n->sym != r->array)
        return true;
    r->reads = true;
    for (int i = 0; i < n->nkids; i++)
        r->elsewhere = r->elsewhere || n->kid[i] != r->subscripts[i];
    return true;
}

/* May `later` run in the same launch as `first`, which comes before it in the spec? Sets *in_turn if it reads, at its own element,
 * what the other stores. Loops that both were once have the same variables in both hooks. */
static bool goes_with(Ir *ir, const Contraction *first, const Contraction *later, bool *in_turn)
{
    const Node *store = only_store(first);
    const Func *from = first->lowered.hooks[HOOK_POINT].func, *to = later->lowered.hooks[HOOK_POINT].func;
    if (!store || store->sym == later->a.array || store->sym == later->b.array || writes_sym(to->body, first->a.array) ||
        writes_sym(to->body, first->b.array) || writes_sym(to->body, store->sym) || reads_array(from->body, later->c.array))
        return false;
    Node **own = arena_new_array(ir->arena, Node *, store->nkids + 1);
    const int nsubscripts = store->sym->rank;
    for (int i = 0; i < nsubscripts; i++) {
        own[i] = store->kid[i];
        for (int p = 0; p < from->nparams && p < to->nparams; p++)
            own[i] = rename_sym(ir, own[i], from->params[p], to->params[p]);
    }
    Reading r = {store->sym, own, false, false};
    walk(&(Walker){.pre = look_at_reading, .user = &r}, to->body);
    *in_turn = *in_turn || r.reads;
    return !r.elsewhere;
}

static Contraction *member(const ProductGroup *group, int i) { return (Contraction *)group->members[i]; }

/* A group of one; false: nothing may join it. */
static bool begin(const Grouping *g, ProductGroup *group, Contraction *first)
{
    group->members = arena_new_array(g->ir->arena, Stage *, GROUP_MEMBERS);
    group->members[group->nmembers++] = &first->stage;
    return may_join(first);
}

/* The group with one more of the contractions; false: it stays as it is. */
static bool grow(Grouping *g, ProductGroup *group, int next)
{
    Contraction *const c = contraction_at(g->plan, next), *const first = member(group, 0);
    bool in_turn = group->in_turn;
    if (group->nmembers == GROUP_MEMBERS || !may_join(c) || !have_a_in_common(first, c))
        return false;
    for (int i = 0; i < group->nmembers; i++)
        if (!goes_with(g->ir, member(group, i), c, &in_turn))
            return false;
    for (int i = 0; i < group->nmembers && in_turn; i++)
        if (member(group, i)->extent[R_N] != c->extent[R_N])
            return false;
    group->in_turn = in_turn;
    group->members[group->nmembers++] = &c->stage;
    return true;
}

static Node *launch_group(Grouping *g, ProductGroup *group, Node *first)
{
    Ir *ir = g->ir;
    const Contraction *head = member(group, 0);
    group->loc = head->loc;
    group->stem = arena_printf(ir->arena, "%s_group%d", g->plan->func->name, g->groups.count + 1);
    for (int i = 0; i < group->nmembers; i++) {
        member(group, i)->with.group = group;
        member(group, i)->with.member = i;
    }
    for (int i = 1; i < group->nmembers; i++) {
        int line, column;
        diag_line_column(ir->diag, head->loc, &line, &column);
        add_remark(ir, &g->plan->remarks, member(group, i)->loc, REMARK_OPTIMIZED, true,
                   arena_printf(ir->arena,
                                group->in_turn ? "shares kernels with the GEMM at line %d, and may share its launch: tile by tile in turn"
                                               : "shares kernels with the GEMM at line %d, and may share its launch: side by side",
                                line));
    }
    vec_push(ir->arena, &g->groups, group);
    return mk_launch_of(ir, STAGE_GROUP, g->groups.count - 1, 0, NULL, first->loc);
}

static Node *group_statements(void *user, Node *n)
{
    Grouping *g = user;
    if (n->kind != N_BLOCK)
        return n;
    Vec out = {0};
    for (int i = 0; i < n->nkids;) {
        ProductGroup *group = arena_alloc(g->ir->arena, sizeof *group);
        *group = (ProductGroup){.nmembers = 0};
        int end = i + 1;
        if (n->kid[i]->kind == N_CONTRACT && begin(g, group, contraction_at(g->plan, (int)n->kid[i]->u.i)))
            while (end < n->nkids && n->kid[end]->kind == N_CONTRACT && grow(g, group, (int)n->kid[end]->u.i))
                end++;
        vec_push(g->ir->arena, &out, group->nmembers > 1 ? launch_group(g, group, n->kid[i]) : n->kid[i]);
        i = end;
    }
    return out.count < n->nkids ? mk_block(g->ir, out.count, (Node **)out.items, n->loc) : n;
}

void group_products(Ir *ir, Plan *plan)
{
    Grouping g = {.ir = ir, .plan = plan};
    plan->func->body = rewrite(&(Rewriter){.ir = ir, .post = group_statements, .user = &g}, plan->func->body);
    set_stages(ir->arena, &plan->stages, STAGE_GROUP, &g.groups);
}
