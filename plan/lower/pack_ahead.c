/* SPDX-License-Identifier: GPL-3.0-or-later */
/* A factor may be prepacked if its elements are known once its arrays are: functions of these and of integer parameters alone. So do the codes,
 * scales, zero points and so on of a quantized B. */
#include "plan/lower/pack_ahead.h"

#include "depend/index.h"
#include "ir/walk.h"
#include "plan/add_remark.h"
#include "plan/contract/gather.h"
#include "plan/lower/keep_nests.h"

/* What a walk over an expression of the factor, or over a part of its address, finds in it. */
typedef struct Found {
    const Plan *plan;
    const Contraction *c;
    const char *other; /* something that is not known before a call, as a phrase */
} Found;

static bool is_dim(const Contraction *c, const Sym *sym)
{
    for (int i = 0; i < c->ndims; i++)
        if (c->dims[i].var == sym)
            return true;
    return false;
}

/* The loop around a ragged batch counts B's as batches do. */
static bool is_of_batch(const Contraction *c, const Sym *sym) { return c->with.ragged && c->with.ragged->loop == sym; }

static bool find_other(void *user, Node *n)
{
    Found *f = user;
    if (n->kind == N_LOAD && !n->sym->is_constant && !n->sym->table)
        f->other = "it is combined with another array";
    const bool known = n->kind == N_VAR && n->sym->kind == S_PARAM && type_is_integer(n->sym->type) && !writes_sym(f->plan->source, n->sym);
    if (n->kind == N_VAR && !known && !is_dim(f->c, n->sym) && !is_of_batch(f->c, n->sym))
        f->other = "it is combined with a number that calls bring";
    return !f->other;
}

/* Is the loop one of the factor's, or of its batches'? */
static bool is_around(const Contraction *c, const Operand *o, const LoopDim *d)
{
    return d->role == R_K || d->role == (o == &c->a ? R_M : R_N) || uses_sym(o->value, d->var);
}

/* Of A or B; the batches that it differs in are among its dimensions. */
static bool hangs_on(const Contraction *c, const Operand *o, const Sym *sym)
{
    bool used = uses_sym(o->value, sym) || uses_sym(c->extent[R_K], sym) || uses_sym(c->extent[o == &c->a ? R_M : R_N], sym);
    for (int r = 0; r < R_COUNT; r++)
        used = used || (o->strided && o->stride[r] && uses_sym(o->stride[r], sym));
    if (c->with.ragged && uses_sym(o->value, c->with.ragged->loop))
        used = used || uses_sym(c->with.ragged->from, sym) || uses_sym(c->with.ragged->count, sym);
    for (int i = 0; i < c->ndims; i++)
        if (is_around(c, o, &c->dims[i]))
            used = used || uses_sym(c->dims[i].lo, sym) || uses_sym(c->dims[i].extent, sym);
    return used;
}

/* ---------------------------------------------------------------- what factors are made of */

/* What a part of a packed array says for a contraction; NULL: there is no such part of it. */
static Node *part_value(const Contraction *c, PartKind kind)
{
    const Quantized *q = c->quantized;
    if (kind == PART_ROWS)
        return c->a.value;
    if (kind == PART_WHOLE)
        return q ? NULL : c->b.value;
    if (kind == PART_CODES)
        return q ? q->code : NULL;
    return q ? q->shared[kind - PART_SCALES] : NULL;
}

/* More than an array has dimensions. */
enum { FIRST_PART = 64 };

/* The constant array whose packed form has the part: of those that it is made of, one without an earlier part, and with most dimensions.
 * What is made of none, a number, goes with the codes. */
static Sym *home_of(const Plan *plan, const Contraction *c, PartKind kind)
{
    const Func *f = plan->func;
    Node *value = part_value(c, kind);
    Sym *best = NULL;
    int best_rank = 0;
    for (int i = 0; value && i < f->nparams; i++) {
        Sym *p = f->params[i];
        int rank = FIRST_PART + p->rank;
        if (!p->rank || !p->is_constant || !reads_array(value, p))
            continue;
        for (int earlier = 0; earlier < (int)kind; earlier++)
            rank -= home_of(plan, c, (PartKind)earlier) == p ? FIRST_PART : 0;
        if (rank > best_rank) {
            best = p;
            best_rank = rank;
        }
    }
    return best || !value || kind <= PART_CODES ? best : home_of(plan, c, PART_CODES);
}

static bool is_made_of(const Constant *k, const Sym *array)
{
    bool found = k->array == array;
    for (int i = 0; i < k->nwith; i++)
        found = found || k->with[i] == array;
    return found;
}

static void note_arrays(const Plan *plan, Constant *k, Node *value)
{
    const Func *f = plan->func;
    for (int i = 0; i < f->nparams; i++)
        if (f->params[i]->rank && reads_array(value, f->params[i]) && !is_made_of(k, f->params[i]))
            k->with[k->nwith++] = f->params[i];
}

/* Do the size of the packed array and packing it ask for a parameter? Of all contractions that might take it packed: none is left out yet. */
static bool is_given(const Plan *plan, const Sym *array, const Sym *sym)
{
    bool used = false;
    for (int d = 0; d < array->rank; d++)
        used = used || uses_sym(array->extent[d], sym);
    for (int i = 0; i < contraction_count(plan); i++) {
        const Contraction *c = contraction_at(plan, i);
        used = used || (reads_array(c->a.value, array) && hangs_on(c, &c->a, sym)) ||
               (reads_array(c->b.value, array) && hangs_on(c, &c->b, sym));
    }
    return used;
}

/* ---------------------------------------------------------------- obstacles */

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

/* Of the arrays that one factor is made of: is one in the other, too? */
static bool are_factors(const Plan *plan, const Contraction *c)
{
    bool both = false;
    for (int i = 0; i < plan->func->nparams; i++) {
        const Sym *p = plan->func->params[i];
        both = both || (p->rank && p->is_constant && reads_array(c->a.value, p) && reads_array(c->b.value, p));
    }
    return both;
}

/* Why the factor that the constant array is in cannot be prepacked, a B also as its codes and what they share; NULL: nothing
 * does. */
static const char *obstacle(const Plan *plan, const Contraction *c, const Sym *array)
{
    const bool rows = !reads_array(c->b.value, array);
    const Operand *o = rows ? &c->a : &c->b, *other = rows ? &c->b : &c->a;
    Found f = {plan, c, NULL};
    if (are_factors(plan, c))
        return "it is both factors";
    if (rows && c->with.ragged)
        return "it has the rows of a ragged batch";
    if (c->family == FAM_I8 && c->dots == FAM_COUNT)
        return "only GEMMs of float, double, bf16 and integers of 8 or 32 bits have a form for that";
    walk(&(Walker){.pre = find_other, .user = &f}, o->value);
    for (int i = 0; i < c->ndims && !f.other; i++)
        if (is_around(c, o, &c->dims[i])) {
            walk(&(Walker){.pre = find_other, .user = &f}, c->dims[i].lo);
            walk(&(Walker){.pre = find_other, .user = &f}, c->dims[i].extent);
        }
    if (c->with.ragged && uses_sym(o->value, c->with.ragged->loop)) {
        walk(&(Walker){.pre = find_other, .user = &f}, c->with.ragged->from);
        walk(&(Walker){.pre = find_other, .user = &f}, c->with.ragged->count);
    }
    for (int i = 0; i < c->ndims && !f.other; i++)
        if (c->dims[i].role == R_BATCH && !uses_sym(o->value, c->dims[i].var) && !is_some(c->dims[i].extent))
            f.other = "its batch is not counted by a parameter";
    for (int r = 0; r < R_COUNT && !f.other; r++)
        if (divides(plan, array, c->extent[r]) || (other->strided && divides(plan, array, other->stride[r])) ||
            (c->c.strided && divides(plan, array, c->c.stride[r])))
            f.other = "extents are divided";
    return f.other;
}

/* Which A or B a batch reads, and how many there are. */
static void number_batches(Ir *ir, const Contraction *c, const Operand *o, Prepacked *ahead)
{
    ahead->batch = ix_int(ir, 0);
    ahead->batches = ix_int(ir, 1);
    if (o == &c->b && c->ahead_loop) {
        ahead->batch = ix_sub(ir, widen(ir, mk_var(ir, c->with.ragged->loop)), c->with.ragged->from);
        ahead->batches = c->with.ragged->count;
    }
    for (int i = 0; i < c->ndims; i++) {
        const LoopDim *d = &c->dims[i];
        if (d->role != R_BATCH || !uses_sym(o->value, d->var))
            continue;
        Node *t = ix_sub(ir, widen(ir, mk_var(ir, d->var)), widen(ir, d->lo));
        t = d->step == 1 ? t : ix_div(ir, t, ix_int(ir, d->step));
        ahead->batch = ix_add(ir, ix_mul(ir, ahead->batch, d->extent), t);
        ahead->batches = ix_mul(ir, ahead->batches, d->extent);
    }
}

/* ---------------------------------------------------------------- what a packed form depends on, and what it lacks */

static bool reads_plain(const Contraction *c, const Sym *array)
{
    return (!c->ahead_a.of && reads_array(c->a.value, array)) || (!c->ahead_b.of && reads_array(c->b.value, array)) ||
           (c->epilogue && reads_array(c->epilogue, array)) || (c->applies.condition && reads_array(c->applies.condition, array));
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
    a->found = a->found || (a->inside && n->kind == N_LAUNCH && stage_at(a->plan, n) == &a->nest->stage);
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
    for (int i = 0; i < contraction_count(plan); i++)
        plain = plain || reads_plain(contraction_at(plan, i), array);
    for (int i = 0; i < host_nest_count(plan); i++)
        plain = plain || (reads_array(host_nest_at(plan, i)->loops->body, array) && !is_apart(plan, host_nest_at(plan, i)) &&
                          !host_nest_at(plan, i)->made.array);
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
        for (int a = -1; a < k->nwith; a++) {
            const Sym *array = a < 0 ? k->array : k->with[a];
            for (int d = 0; d < array->rank; d++)
                used = used || uses_sym(array->extent[d], p);
        }
        for (int u = 0; u < k->nparts; u++) {
            const Contraction *c = k->parts[u].user;
            used = used || hangs_on(c, k->parts[u].kind == PART_ROWS ? &c->a : &c->b, p);
        }
        if (used)
            k->ints[k->nints++] = p;
    }
}

/* Has B conditions, on which some steps' loops have no influence, and others have? Are sums stored, where tiles can turn them round? */
static bool may_turn(const Contraction *c)
{
    const Gather *g = c->b.gather;
    bool free = false, bound = false;
    if (!g || g->placed || c->dots != FAM_COUNT || c->with.in_chain || c->with.ragged || c->first_beta || !c->c.in_place || !c->a.in_place)
        return false;
    for (int i = 0; i < c->ndims; i++) {
        const bool tells = gather_tells(g, i);
        free |= c->dims[i].role == R_K && !tells;
        bound |= c->dims[i].role == R_K && tells;
    }
    return free && bound;
}

/* The part of a factor that has its home in the array. */
static void add_part(Ir *ir, const Plan *plan, Constant *k, Contraction *c, PartKind kind)
{
    const bool is_a = kind == PART_ROWS, is_b = kind == PART_WHOLE || kind == PART_CODES;
    Prepacked *ahead = is_a ? &c->ahead_a : is_b ? &c->ahead_b : &c->ahead_shared[kind - PART_SCALES];
    if (is_b)
        c->ahead_loop = c->with.ragged && uses_sym(c->b.value, c->with.ragged->loop);
    if (is_a || is_b)
        number_batches(ir, c, is_a ? &c->a : &c->b, ahead);
    if (is_a)
        c->turns = may_turn(c);
    ahead->of = k;
    ahead->part = k->nparts;
    note_arrays(plan, k, part_value(c, kind));
    if (kind == PART_ZEROS && part_value(c, PART_SCALES) && reads_array(part_value(c, kind), NULL))
        note_arrays(plan, k, part_value(c, PART_SCALES)); /* what packs zero points is told the scales, whether it needs them or not */
    k->parts[k->nparts++] = (ConstantPart){c, kind, NULL};
}

/* The parts that nests make. */
static void add_made(Ir *ir, Plan *plan, Constant *k)
{
    for (int i = 0; i < host_nest_count(plan); i++) {
        HostNest *nest = host_nest_at(plan, i);
        Sym *made = made_of_constant(plan, k, nest);
        for (int d = 0; made && d < made->rank; d++)
            made = divides(plan, k->array, made->extent[d]) ? NULL : made;
        if (!made)
            continue;
        nest->made = (MadeArray){.array = made, .of = k, .part = k->nparts};
        k->parts[k->nparts++] = (ConstantPart){NULL, PART_MADE, nest};
        add_remark(ir, &plan->remarks, nest->loc, REMARK_OPTIMIZED, false,
                   arena_printf(ir->arena, "the array made here from '%s' alone may come prepacked with it", k->array->name));
    }
}

/* How a part of a contraction's factor comes packed, if not as panels that kernels without dot products read. */
static const char *form_of(Ir *ir, const Contraction *c, PartKind kind)
{
    if (kind == PART_ROWS)
        return c->dots == FAM_U8S8 ? ", in rows of bytes" : c->dots == FAM_BF16 ? ", in rows of bf16" : ", in rows";
    static const char *const shared[] = {", as scales", ", as zero points", ", as offsets", ", as factors"};
    if (kind == PART_CODES)
        return arena_printf(ir->arena, ", in codes of %d bits", c->quantized->bits);
    if (kind != PART_WHOLE)
        return shared[kind - PART_SCALES];
    return c->dots == FAM_U8S8 ? ", in bytes" : c->dots == FAM_BF16 ? ", in bf16" : "";
}

/* What its factor has of the array. */
static void add_parts(Ir *ir, Plan *plan, Constant *k, Contraction *c)
{
    const char *name = k->array->name;
    bool has_part = false;
    for (int kind = PART_WHOLE; kind < PART_MADE; kind++) {
        if (home_of(plan, c, (PartKind)kind) != k->array)
            continue;
        has_part = true;
        add_part(ir, plan, k, c, (PartKind)kind);
        add_remark(ir, &plan->remarks, c->loc, REMARK_OPTIMIZED, false,
                   arena_printf(ir->arena, "'%s' may come prepacked%s", name, form_of(ir, c, (PartKind)kind)));
    }
    for (int kind = PART_WHOLE; kind < PART_MADE && !has_part; kind++) {
        Node *value = part_value(c, (PartKind)kind);
        const Sym *home = value && reads_array(value, k->array) ? home_of(plan, c, (PartKind)kind) : NULL;
        if (home)
            add_remark(ir, &plan->remarks, c->loc, REMARK_OPTIMIZED, false,
                       arena_printf(ir->arena, "'%s' may come packed with '%s'", name, home->name));
    }
}

static Constant *constant_of(Ir *ir, Plan *plan, Sym *array)
{
    Constant *k = arena_new_array(ir->arena, Constant, 1);
    k->array = array;
    k->with = arena_new_array(ir->arena, Sym *, plan->func->nparams + 1);
    k->parts = arena_new_array(ir->arena, ConstantPart, PART_MADE * contraction_count(plan) + host_nest_count(plan) + 1);
    for (int i = 0; i < contraction_count(plan); i++) {
        Contraction *c = contraction_at(plan, i);
        if (!reads_array(c->a.value, array) && !reads_array(c->b.value, array))
            continue;
        const char *why = obstacle(plan, c, array);
        if (why)
            add_remark(ir, &plan->remarks, c->loc, REMARK_MISSED, false,
                       arena_printf(ir->arena, "'%s' is not prepacked: %s", array->name, why));
        else
            add_parts(ir, plan, k, c);
    }
    find_ints(ir, plan, k);
    add_made(ir, plan, k);
    return k;
}

/* A B that cannot be prepacked as codes and scales may be as something else. */
static void drop_quantized(Plan *plan)
{
    for (int i = 0; i < contraction_count(plan); i++) {
        Contraction *c = contraction_at(plan, i);
        if (c->quantized && obstacle(plan, c, home_of(plan, c, PART_CODES)))
            c->quantized = NULL;
    }
}

/* Arrays that are only read packed with others have no packed form of their own. */
static void drop_brought(Ir *ir, Plan *plan)
{
    const Func *f = plan->func;
    int kept = 0;
    plan->brought_by = arena_new_array(ir->arena, const Constant *, f->nparams + 1);
    for (int i = 0; i < plan->nconstants; i++) {
        Constant *k = plan->constants[i];
        for (int p = 0; p < f->nparams && !k->nparts && !k->plain; p++)
            for (int j = 0; j < plan->nconstants && f->params[p] == k->array; j++)
                if (j != i && is_made_of(plan->constants[j], k->array))
                    plan->brought_by[p] = plan->constants[j];
    }
    for (int p = 0, next = 0; p < f->nparams; p++)
        if (next < plan->nconstants && plan->constants[next]->array == f->params[p]) {
            if (!plan->brought_by[p])
                plan->constants[kept++] = plan->constants[next];
            next++;
        }
    plan->nconstants = kept;
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
    drop_brought(ir, plan);
    if (f->packed && !uses_sym(f->body, f->packed))
        plan->func->packed = NULL;
}

void leave_constants(Ir *ir, Plan *plan)
{
    const Func *f = plan->func;
    for (int i = 0; i < f->nparams; i++)
        if (f->params[i]->rank && f->params[i]->is_constant)
            add_remark(ir, &plan->remarks, f->params[i]->loc, REMARK_MISSED, false,
                       arena_printf(ir->arena, "'%s' is not prepacked: C files can take it so", f->params[i]->name));
}
