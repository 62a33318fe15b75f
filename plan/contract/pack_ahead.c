/* B goes ahead if its elements are known once the array is: functions of it and of integer parameters alone. So do the codes and the
 * scales of a quantized one. */
#include "plan/contract/pack_ahead.h"

#include "depend/index.h"
#include "ir/walk.h"
#include "plan/add_remark.h"
#include "plan/contract/keep_nests.h"

/* What a walk over an expression of B, or over a part of its address, finds in it. */
typedef struct Found {
    const Plan *plan;
    const Contraction *c;
    const Sym *array, *also; /* that may be in it */
    const char *other; /* something that is not known ahead of a call, as a phrase */
} Found;

static bool is_dim(const Contraction *c, const Sym *sym)
{
    for (int i = 0; i < c->ndims; i++)
        if (c->dims[i].var == sym)
            return true;
    return false;
}

/* The loop around a ragged batch counts B's as batches do. */
static bool is_of_batch(const Contraction *c, const Sym *sym) { return c->ragged && c->ragged->loop == sym; }

static bool find_other(void *user, Node *n)
{
    Found *f = user;
    if (n->kind == N_LOAD && n->sym != f->array && n->sym != f->also)
        f->other = "it is combined with another array";
    const bool known = n->kind == N_VAR && n->sym->kind == S_PARAM && type_is_integer(n->sym->type) && !writes_sym(f->plan->source, n->sym);
    if (n->kind == N_VAR && !known && !is_dim(f->c, n->sym) && !is_of_batch(f->c, n->sym))
        f->other = "it is combined with a number that calls bring";
    return !f->other;
}

/* The batches that B differs in are among its dimensions. */
static bool hangs_on(const Contraction *c, const Sym *sym)
{
    bool used = uses_sym(c->b.value, sym) || uses_sym(c->extent[R_K], sym) || uses_sym(c->extent[R_N], sym);
    for (int r = 0; r < R_COUNT; r++)
        used = used || (c->b.strided && c->b.stride[r] && uses_sym(c->b.stride[r], sym));
    if (c->ragged && uses_sym(c->b.value, c->ragged->loop))
        used = used || uses_sym(c->ragged->from, sym) || uses_sym(c->ragged->count, sym);
    for (int i = 0; i < c->ndims; i++)
        if (c->dims[i].role == R_K || c->dims[i].role == R_N || uses_sym(c->b.value, c->dims[i].var))
            used = used || uses_sym(c->dims[i].lo, sym) || uses_sym(c->dims[i].extent, sym);
    return used;
}

/* Do the size of the packed array and packing it ask for a parameter? Of all contractions that might take it packed: none is left out yet. */
static bool is_given(const Plan *plan, const Sym *array, const Sym *sym)
{
    bool used = false;
    for (int d = 0; d < array->rank; d++)
        used = used || uses_sym(array->extent[d], sym);
    for (int i = 0; i < plan->ncontractions; i++)
        used = used || (reads_array(plan->contractions[i]->b.value, array) && hangs_on(plan->contractions[i], sym));
    return used;
}

typedef struct Division {
    const Plan *plan;
    const Sym *array;
    bool safe;
} Division;

static bool find_division(void *user, Node *n)
{
    Division *d = user;
    if (n->kind != N_DIV && n->kind != N_MOD)
        return true;
    const Node *by = n->kid[1];
    while (by->kind == N_CAST)
        by = by->kid[0];
    const bool is_param = by->kind == N_VAR && by->sym->kind == S_PARAM;
    d->safe = d->safe && ((by->kind == N_INT && by->u.i != 0) || (is_param && !is_given(d->plan, d->array, by->sym)));
    return d->safe;
}

/* A number that is asked for before all parameters are known must not divide by one that may be 0: those that are not given are 1. */
static bool divides(const Plan *plan, const Sym *array, Node *e)
{
    Division d = {plan, array, true};
    if (e)
        walk(&(Walker){.pre = find_division, .user = &d}, e);
    return !d.safe;
}

/* One iteration, whatever else it is, if all integer parameters are 1: packing goes through a batch as such a call would. */
static bool is_some(Node *extent)
{
    while (extent->kind == N_CAST)
        extent = extent->kid[0];
    return (extent->kind == N_VAR && extent->sym->kind == S_PARAM) || (extent->kind == N_INT && extent->u.i > 0);
}

/* What stands against B's going ahead, as it is or as its codes and scales; NULL: nothing does. */
static const char *obstacle(const Plan *plan, const Contraction *c, const Sym *array)
{
    const Quantized *q = c->quantized;
    Found f = {plan, c, q ? q->codes : array, q ? q->scales : NULL, NULL};
    if (!reads_array(c->b.value, array))
        return "it is the factor that has the output's rows";
    if (reads_array(c->a.value, array))
        return "it is both factors";
    if (c->family == FAM_I8 && c->dots == FAM_COUNT)
        return "only products of float, double, bf16 and 8-bit integers have a form for that";
    walk(&(Walker){.pre = find_other, .user = &f}, c->b.value);
    for (int i = 0; i < c->ndims && !f.other; i++)
        if (c->dims[i].role == R_K || c->dims[i].role == R_N || uses_sym(c->b.value, c->dims[i].var)) {
            walk(&(Walker){.pre = find_other, .user = &f}, c->dims[i].lo);
            walk(&(Walker){.pre = find_other, .user = &f}, c->dims[i].extent);
        }
    if (c->ragged && uses_sym(c->b.value, c->ragged->loop)) {
        walk(&(Walker){.pre = find_other, .user = &f}, c->ragged->from);
        walk(&(Walker){.pre = find_other, .user = &f}, c->ragged->count);
    }
    for (int i = 0; i < c->ndims && !f.other; i++)
        if (c->dims[i].role == R_BATCH && !uses_sym(c->b.value, c->dims[i].var) && !is_some(c->dims[i].extent))
            f.other = "its batch is not counted by a parameter";
    for (int r = 0; r < R_COUNT && !f.other; r++)
        if (divides(plan, array, c->extent[r]) || (c->a.strided && divides(plan, array, c->a.stride[r])) ||
            (c->c.strided && divides(plan, array, c->c.stride[r])))
            f.other = "extents are divided";
    return f.other;
}

/* Which B a batch reads, and how many there are. */
static void number_batches(Ir *ir, Contraction *c)
{
    c->ahead_batch = ix_int(ir, 0);
    c->ahead_batches = ix_int(ir, 1);
    c->ahead_loop = c->ragged && uses_sym(c->b.value, c->ragged->loop);
    if (c->ahead_loop) {
        c->ahead_batch = ix_sub(ir, widen(ir, mk_var(ir, c->ragged->loop)), c->ragged->from);
        c->ahead_batches = c->ragged->count;
    }
    for (int i = 0; i < c->ndims; i++) {
        const LoopDim *d = &c->dims[i];
        if (d->role != R_BATCH || !uses_sym(c->b.value, d->var))
            continue;
        Node *t = ix_sub(ir, widen(ir, mk_var(ir, d->var)), widen(ir, d->lo));
        t = d->step == 1 ? t : ix_div(ir, t, ix_int(ir, d->step));
        c->ahead_batch = ix_add(ir, ix_mul(ir, c->ahead_batch, d->extent), t);
        c->ahead_batches = ix_mul(ir, c->ahead_batches, d->extent);
    }
}

/* ---------------------------------------------------------------- what a packed form hangs on, and what it lacks */

static bool reads_plain(const Contraction *c, const Sym *array)
{
    return reads_array(c->a.value, array) || (!c->ahead && reads_array(c->b.value, array)) ||
           (c->epilogue && reads_array(c->epilogue, array)) || (c->condition && reads_array(c->condition, array));
}

/* What runs only in calls that no array comes packed to: `if (packed || ...) ... else this`. */
static Node *only_unpacked(const Plan *plan, const Node *n)
{
    const Sym *packed = plan->func->packed;
    const bool asks = packed && n->kind == N_IF && n->nkids == 3 && n->kid[0]->kind == N_LOR;
    return asks && n->kid[0]->kid[0]->kind == N_VAR && n->kid[0]->kid[0]->sym == packed ? n->kid[2] : NULL;
}

typedef struct Apart {
    const Plan *plan;
    const HostNest *nest;
    bool inside; /* such a part of the body is looked at */
    bool found; /* the nest is launched there */
} Apart;

static bool find_apart(void *user, Node *n)
{
    Apart *a = user;
    Node *part = only_unpacked(a->plan, n);
    if (part) {
        Apart inside = *a;
        inside.inside = true;
        walk(&(Walker){.pre = find_apart, .user = &inside}, part);
        a->found = a->found || inside.found;
    }
    a->found = a->found || (a->inside && n->kind == N_LAUNCH && n->aux == 0 && a->plan->host_nests[n->u.i] == a->nest);
    return !is_expr(n);
}

static bool is_apart(const Plan *plan, const HostNest *nest)
{
    Apart a = {plan, nest, false, false};
    walk(&(Walker){.pre = find_apart, .user = &a}, plan->func->body);
    return a.found;
}

static bool is_read_plain(const Plan *plan, const Sym *array)
{
    bool plain = reads_array(plan->func->body, array);
    for (int i = 0; i < plan->ncontractions; i++)
        plain = plain || reads_plain(plan->contractions[i], array);
    for (int i = 0; i < plan->nhost_nests; i++)
        plain = plain || (reads_array(plan->host_nests[i]->loops->body, array) && !is_apart(plan, plan->host_nests[i]) &&
                          !plan->host_nests[i]->made);
    return plain;
}

static void find_ints(Ir *ir, const Plan *plan, Constant *k)
{
    const Func *f = plan->func;
    k->ints = arena_new_array(ir->arena, Sym *, f->nparams + 1);
    for (int i = 0; i < f->nparams; i++) {
        Sym *p = f->params[i];
        bool used = false;
        if (p->rank || !type_is_integer(p->type))
            continue;
        for (int d = 0; d < k->array->rank; d++)
            used = used || uses_sym(k->array->extent[d], p);
        for (int u = 0; u < k->nparts; u++)
            used = used || hangs_on(k->parts[u].user, p);
        if (used)
            k->ints[k->nints++] = p;
    }
}

/* The part of an array that a contraction's B is, or is in, as its kind says. */
static void add_part(Ir *ir, Constant *k, Contraction *c)
{
    const Quantized *q = c->quantized;
    const PartKind kind = !q ? PART_WHOLE : q->codes == k->array ? PART_CODES : PART_SCALES;
    if (kind == PART_SCALES) {
        c->ahead_scales = k;
        c->ahead_scales_part = k->nparts;
    } else {
        number_batches(ir, c);
        c->ahead = k;
        c->ahead_part = k->nparts;
    }
    k->parts[k->nparts++] = (ConstantPart){c, kind, NULL};
}

/* The parts that nests make. */
static void add_made(Ir *ir, Plan *plan, Constant *k)
{
    for (int i = 0; i < plan->nhost_nests; i++) {
        HostNest *nest = plan->host_nests[i];
        Sym *made = made_of_constant(plan, k, nest);
        for (int d = 0; made && d < made->rank; d++)
            made = divides(plan, k->array, made->extent[d]) ? NULL : made;
        if (!made)
            continue;
        nest->made = made;
        nest->of = k;
        nest->made_part = k->nparts;
        k->parts[k->nparts++] = (ConstantPart){NULL, PART_MADE, nest};
        add_remark(ir, &plan->remarks, nest->loc, REMARK_OPTIMIZED, false,
                   arena_printf(ir->arena, "what is made here of '%s' alone may come packed with it", k->array->name));
    }
}

/* How a contraction's B comes packed, if not as kernels without dot products read it. */
static const char *form_of(Ir *ir, const Contraction *c, const Sym *array)
{
    if (c->quantized)
        return c->quantized->codes == array ? arena_printf(ir->arena, ", in codes of %d bits", c->quantized->bits) : ", as scales";
    return c->dots == FAM_U8S8 ? ", in bytes" : c->dots == FAM_BF16 ? ", in bf16" : "";
}

static Constant *constant_of(Ir *ir, Plan *plan, Sym *array)
{
    Constant *k = arena_new_array(ir->arena, Constant, 1);
    k->array = array;
    k->parts = arena_new_array(ir->arena, ConstantPart, plan->ncontractions + plan->nhost_nests + 1);
    for (int i = 0; i < plan->ncontractions; i++) {
        Contraction *c = plan->contractions[i];
        if (!reads_array(c->a.value, array) && !reads_array(c->b.value, array))
            continue;
        const char *why = obstacle(plan, c, array);
        if (!why)
            add_part(ir, k, c);
        const char *form = why ? "" : form_of(ir, c, array);
        add_remark(ir, &plan->remarks, c->loc, why ? REMARK_MISSED : REMARK_OPTIMIZED, false,
                   why ? arena_printf(ir->arena, "'%s' is not packed ahead: %s", array->name, why)
                       : arena_printf(ir->arena, "'%s' may come packed ahead of calls%s", array->name, form));
    }
    find_ints(ir, plan, k);
    add_made(ir, plan, k);
    return k;
}

/* A B that cannot go ahead as codes and scales may go as something else. */
static void drop_quantized(Plan *plan)
{
    for (int i = 0; i < plan->ncontractions; i++) {
        Contraction *c = plan->contractions[i];
        if (c->quantized && obstacle(plan, c, c->quantized->codes))
            c->quantized = NULL;
    }
}

void pack_constants(Ir *ir, Plan *plan)
{
    const Func *f = plan->func;
    plan->constants = arena_new_array(ir->arena, Constant *, f->nparams + 1);
    drop_quantized(plan);
    for (int i = 0; i < f->nparams; i++)
        if (f->params[i]->rank && f->params[i]->is_constant)
            plan->constants[plan->nconstants++] = constant_of(ir, plan, f->params[i]);
    for (int i = 0; i < plan->nconstants; i++)
        plan->constants[i]->plain = is_read_plain(plan, plan->constants[i]->array);
    if (f->packed && !uses_sym(f->body, f->packed))
        plan->func->packed = NULL;
}

void leave_constants(Ir *ir, Plan *plan)
{
    const Func *f = plan->func;
    for (int i = 0; i < f->nparams; i++)
        if (f->params[i]->rank && f->params[i]->is_constant)
            add_remark(ir, &plan->remarks, f->params[i]->loc, REMARK_MISSED, false,
                       arena_printf(ir->arena, "'%s' is not packed ahead: C files can take it so", f->params[i]->name));
}
