/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Hooks of the CUDA target: one point at a time, and where the elements of an operand under conditions lie. */
#include "plan/lower/lower.h"

#include "depend/index.h"
#include "depend/scope.h"
#include "ir/sym_map.h"
#include "plan/contract/gather.h"
#include "plan/lower/hook.h"

static Func *value_hook(Lower *l, const Operand *o, Role first, Role second)
{
    static const char *const names[R_COUNT] = {"b", "m", "n", "k"};
    Vec out = {0};
    Node *b = lower_param(l, T_INDEX, "batch"), *x = lower_param(l, T_INDEX, names[first]), *y = lower_param(l, T_INDEX, names[second]);
    lower_decode(l, &out, R_BATCH, b);
    lower_decode(l, &out, first, x);
    lower_decode(l, &out, second, y);
    lower_push(l, &out, mk_return(l->ir, lower_in_hook(l, o->value), l->c->loc));
    Func *f = arena_alloc(l->ir->arena, sizeof *f);
    f->body = lower_block(l, &out);
    f->result = o->value->type;
    return f;
}

Func *lower_point(Lower *l, Node *stmts)
{
    Vec out = {0};
    Node *b = lower_param(l, T_INDEX, "batch"), *m = lower_param(l, T_INDEX, "m"), *n = lower_param(l, T_INDEX, "n");
    Node *sum = lower_param(l, l->c->acc, "sum");
    lower_decode(l, &out, R_BATCH, b);
    lower_decode(l, &out, R_M, m);
    lower_decode(l, &out, R_N, n);
    lower_push(l, &out, rename_sym(l->ir, lower_in_hook(l, stmts), l->c->sum, sum->sym));
    Func *f = arena_alloc(l->ir->arena, sizeof *f);
    f->body = lower_block(l, &out);
    return f;
}

/* Scalars that are declared, and may be assigned to. */
static bool computes_scalars(const Node *n) { return n->kind == N_DECL || n->kind == N_ASSIGN; }

Func *lower_finished(Lower *l, const Node *e)
{
    const int last = e->nkids - 1;
    if (last < 0 || e->kid[last]->kind != N_STORE)
        return NULL;
    Node **stmts = arena_new_array(l->ir->arena, Node *, e->nkids);
    for (int i = 0; i < last; i++) {
        stmts[i] = e->kid[i];
        if (!computes_scalars(e->kid[i]))
            return NULL;
    }
    stmts[last] = mk_return(l->ir, mk_cast(l->ir, l->c->c.value->type, stmt_value(e->kid[last])), l->c->loc);
    Func *f = lower_point(l, drop_unused(l->ir, mk_block(l->ir, e->nkids, stmts, l->c->loc)));
    f->result = l->c->c.value->type;
    return f;
}

/* Where an operand's element is and how far inside its conditions, as far as the loops of one role decide; `first` adds what
 * no loop of m, n or k decides. */
static Func *place_hook(Lower *l, const Gather *g, Role role, bool first)
{
    static const char *const names[R_COUNT] = {"b", "m", "n", "k"};
    Ir *ir = l->ir;
    const Contraction *c = l->c;
    Vec out = {0};
    Node *b = first ? lower_param(l, T_INDEX, "batch") : NULL, *at_role = lower_param(l, T_INDEX, names[role]), *rest = at_role;
    Sym *dst = lower_pointer(l, T_INDEX, "dst", false);
    Node *sum[MAX_CONDITIONS + 1];
    for (int j = 0; j <= g->nconditions; j++)
        sum[j] = first ? j ? g->least[j - 1] : g->base : ix_int(ir, 0);
    if (first)
        lower_decode(l, &out, R_BATCH, b);
    if (first && g->placed) {
        lower_decode(l, &out, role, at_role);
        sum[0] = ix_add(ir, sum[0], g->placed);
    }
    int outermost = c->ndims;
    for (int i = c->ndims - 1; i >= 0; i--)
        outermost = c->dims[i].role == role ? i : outermost;
    for (int i = c->ndims - 1; i >= 0; i--) {
        if (c->dims[i].role != role)
            continue;
        Node *t = lower_digit(l, i);
        lower_push(l, &out, lower_declare(l, t, i > outermost ? ix_mod(ir, rest, c->dims[i].extent) : rest));
        rest = ix_div(ir, rest, c->dims[i].extent);
        for (int j = 0; j <= g->nconditions; j++)
            sum[j] = ix_add(ir, sum[j], ix_mul(ir, j ? g->along[j - 1][i] : g->move[i], t));
    }
    for (int j = 0; j <= g->nconditions; j++) {
        Node *at = ix_int(ir, j);
        lower_push(l, &out, mk_store(ir, dst, 1, &at, lower_in_hook(l, sum[j]), N_NONE, c->loc));
    }
    Func *f = arena_alloc(ir->arena, sizeof *f);
    f->body = lower_block(l, &out);
    return f;
}

static void add_places(Ir *ir, Plan *plan, Contraction *c, const Operand *o, Role role, int slot, const char *outer, const char *step)
{
    if (!o->gather)
        return;
    Lower l = lower_new(ir, plan, c);
    lower_set_hook(&l, slot, outer, place_hook(&l, o->gather, role, true));
    l = lower_new(ir, plan, c);
    lower_set_hook(&l, slot + 1, step, place_hook(&l, o->gather, R_K, false));
}

/* Which loops of the contraction an expression depends on, as bits of their roles; `known`: which assigned scalars do. */
static int roles_of(const Contraction *c, const Map *known, Node *n)
{
    int roles = n->kind == N_VAR ? (int)(intptr_t)map_get(known, n->sym->id) : 0;
    for (int i = 0; i < c->ndims && n->kind == N_VAR; i++)
        roles |= n->sym == c->dims[i].var ? 1 << c->dims[i].role : 0;
    for (int i = 0; i < n->nkids; i++)
        roles |= n->kid[i] ? roles_of(c, known, n->kid[i]) : 0;
    return roles;
}

/* Does it load an element whose place row and column decide together? */
static bool reads_by_both(const Contraction *c, const Map *known, Node *n)
{
    const int both = 1 << R_M | 1 << R_N;
    if (n->kind == N_LOAD && (roles_of(c, known, n) & both) == both)
        return true;
    for (int i = 0; i < n->nkids; i++)
        if (n->kid[i] && reads_by_both(c, known, n->kid[i]))
            return true;
    return false;
}

/* Is there no such load in an epilogue of which lower_finished makes a function? */
static bool ends_apart(Ir *ir, const Contraction *c)
{
    const Node *e = c->epilogue;
    Map known = {0};
    for (int i = 0; i < e->nkids; i++) {
        Node *value = e->kid[i]->nkids > 0 ? e->kid[i]->kid[e->kid[i]->nkids - 1] : NULL;
        if (!value)
            continue;
        if (reads_by_both(c, &known, value))
            return false;
        if (computes_scalars(e->kid[i])) {
            void **at = map_at(ir->arena, &known, e->kid[i]->sym->id);
            *at = (void *)((intptr_t)*at | roles_of(c, &known, value));
        }
    }
    return true;
}

static void add_codes(Ir *ir, Plan *plan, Contraction *c)
{
    const DeviceCodes *d = c->codes;
    if (!d)
        return;
    Lower l = lower_new(ir, plan, c);
    lower_set_hook(&l, HOOK_PLACE_CODES, "place_codes", place_hook(&l, d->bytes, R_N, true));
    if (d->across) {
        l = lower_new(ir, plan, c);
        lower_set_hook(&l, HOOK_STEP_CODES, "step_codes", place_hook(&l, d->bytes, R_K, false));
    }
    if (!d->scales)
        return;
    l = lower_new(ir, plan, c);
    lower_set_hook(&l, HOOK_PLACE_SCALES, "place_scales", place_hook(&l, d->scales, R_N, true));
}

void lower_device(Ir *ir, Plan *plan, Contraction *c)
{
    Lower l = lower_new(ir, plan, c);
    lower_set_hook(&l, HOOK_VALUE_A, "value_a", value_hook(&l, &c->a, R_M, R_K));
    l = lower_new(ir, plan, c);
    lower_set_hook(&l, HOOK_VALUE_B, "value_b", value_hook(&l, &c->b, R_K, R_N));
    l = lower_new(ir, plan, c);
    lower_set_hook(&l, HOOK_POINT, "point", lower_point(&l, c->epilogue));
    add_places(ir, plan, c, &c->a, R_M, HOOK_PLACE_A, "place_a", "step_a");
    add_places(ir, plan, c, &c->b, R_N, HOOK_PLACE_B, "place_b", "step_b");
    add_codes(ir, plan, c);
    l = lower_new(ir, plan, c);
    Func *finished = c->c.strided ? lower_finished(&l, c->epilogue) : NULL;
    if (finished)
        lower_set_hook(&l, HOOK_FINISHED, "finished", finished);
    c->lowered.ends_apart = finished && ends_apart(ir, c);
}
