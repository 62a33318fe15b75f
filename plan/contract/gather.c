/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Polynomials of offset and conditions in the loops, with a coefficient for each. */
#include "plan/contract/gather.h"

#include <math.h>

#include "depend/index.h"
#include "ir/walk.h"
#include "plan/contract/narrow.h"
#include "plan/contract/nest_access.h"
#include "plan/contract/fold_loops.h"

/* A polynomial taken apart by the nest's loops. */
typedef struct Linear {
    Poly *coef[MAX_LOOPS], *rest;
} Linear;

static bool take_apart(const Nest *nest, const Poly *p, Linear *out)
{
    Sym *vars[MAX_LOOPS];
    for (int i = 0; i < nest->nloops; i++)
        vars[i] = nest->loop[i].var;
    return poly_affine(nest->ir, p, vars, nest->nloops, out->coef, &out->rest);
}

static int loop_of(const Nest *nest, const Sym *var)
{
    for (int i = 0; i < nest->nloops; i++)
        if (nest->loop[i].var == var)
            return i;
    return -1;
}

/* Steps from iteration to iteration, per loop of the contraction; batch loops get 0. */
static Node **steps(const Mapping *m, const Linear *l)
{
    Ir *ir = m->ir;
    const Contraction *c = m->c;
    Node **out = arena_new_array(ir->arena, Node *, c->ndims);
    for (int i = 0; i < c->ndims; i++) {
        const LoopDim *d = &c->dims[i];
        Poly *step = poly_mul(ir, l->coef[loop_of(m->nest, d->var)], poly_int(ir, d->step));
        out[i] = d->role == R_BATCH ? ix_int(ir, 0) : poly_node(ir, step);
    }
    return out;
}

/* The value in the first iteration of every loop. */
static Node *value_at_first(const Mapping *m, const Linear *l)
{
    Ir *ir = m->ir;
    Poly *sum = l->rest;
    for (int i = 0; i < m->nest->nloops; i++)
        sum = poly_add(ir, sum, poly_mul(ir, l->coef[i], m->nest->loop[i].first));
    return poly_node(ir, sum);
}

static bool uses_batch(const Mapping *m, const Linear *l)
{
    for (int i = 0; i < m->nest->nloops; i++)
        if (m->role[i] == R_BATCH && !poly_is(l->coef[i], 0))
            return true;
    return false;
}

static bool is_hazard(void *user, Node *n)
{
    const Nest *nest = user;
    bool divides = n->kind == N_DIV || n->kind == N_MOD;
    return n->kind == N_LOAD || (divides && !division_is_safe(nest->ir, nest->func, n));
}

/* May it be evaluated where no loop runs, without arrays? */
static bool is_plain(const Nest *nest, Node *n) { return !any_node(n, is_hazard, (void *)nest); }

/* What is not negative exactly when the comparison holds; NULL for other conditions. The difference of two int values
 * is exact in 64 bits. */
static Poly *slack(const Nest *nest, Node *n)
{
    Ir *ir = nest->ir;
    if (n->kind != N_LT && n->kind != N_LE && n->kind != N_GT && n->kind != N_GE)
        return NULL;
    for (int i = 0; i < 2; i++) {
        Type type = (Type)n->kid[i]->type;
        if (!type_is_integer(type) || !type_is_signed(type) || type_bits(type) > 32 || !is_plain(nest, n->kid[i]))
            return NULL;
    }
    bool less = n->kind == N_LT || n->kind == N_LE;
    Poly *difference = poly_sub(ir, poly_of(ir, n->kid[less ? 1 : 0]), poly_of(ir, n->kid[less ? 0 : 1]));
    bool strict = n->kind == N_LT || n->kind == N_GT;
    return poly_add(ir, difference, poly_int(ir, strict ? -1 : 0));
}

static bool add_conditions(const Mapping *m, Gather *g, Node *n)
{
    n = bare_condition(n);
    if (n->kind == N_LAND)
        return add_conditions(m, g, n->kid[0]) && add_conditions(m, g, n->kid[1]);
    Linear l;
    Poly *p = slack(m->nest, n);
    if (!p || g->nconditions == MAX_CONDITIONS || !take_apart(m->nest, p, &l) || uses_batch(m, &l))
        return false;
    g->least[g->nconditions] = value_at_first(m, &l);
    g->along[g->nconditions++] = steps(m, &l);
    return true;
}

static bool is_zero(const Node *n) { return n->kind == N_FLOAT ? n->u.f == 0 && !signbit(n->u.f) : is_int(n, 0); }

/* What an operand is where its conditions hold, before conversions; NULL when conditions are of another form, or it is not zero elsewhere. */
static const Node *under_conditions(const Mapping *m, Gather *g, bool converts, Node *value)
{
    for (Node *next; value->kind != N_LOAD; value = next) {
        next = value->kind == N_SEL ? value->kid[1] : converts ? before_conversion(m->c, value) : NULL;
        if (!next || (value->kind == N_SEL && (!is_zero(value->kid[2]) || !add_conditions(m, g, value->kid[0]))))
            return NULL;
    }
    return value;
}

static Gather *gather_of_load(const Mapping *m, Gather *g, const Node *load)
{
    Linear l;
    if (!load->sym->rank || !offset_of(m->nest, load->sym, load->kid, l.coef, &l.rest))
        return NULL;
    for (int d = 0; d < load->nkids; d++)
        if (!is_plain(m->nest, load->kid[d]))
            return NULL;
    g->array = load->sym;
    g->base = first_offset(m, load->sym, load->kid);
    g->move = steps(m, &l);
    return g;
}

Gather *find_gather(const Mapping *m, const Operand *o)
{
    Gather *g = arena_alloc(m->ir->arena, sizeof *g);
    const bool words = m->c->family == FAM_I32; /* of either sign */
    const Node *load = under_conditions(m, g, words, o->value);
    return load && (words || load->sym->type == o->value->type) ? gather_of_load(m, g, load) : NULL;
}

Gather *find_converted_gather(const Mapping *m, const Operand *o)
{
    Gather *g = arena_alloc(m->ir->arena, sizeof *g);
    const Node *load = under_conditions(m, g, true, o->value);
    return load && packing_converts(m->c, (Type)load->type) ? gather_of_load(m, g, load) : NULL;
}

bool gather_tells(const Gather *g, int dim)
{
    bool tells = false;
    for (int i = 0; i < g->nconditions; i++)
        tells = tells || !is_int(g->along[i][dim], 0);
    return tells;
}

/* ---------------------------------------------------------------- rows that memory says */

/* Does the subscript read memory, and change with no other loops than those of the batch and of the role? */
static bool is_placed(const Mapping *m, Node *sub, Role outer)
{
    bool own = reads_array(sub, NULL);
    for (int i = 0; i < m->nest->nloops; i++)
        own = own && (m->role[i] == R_BATCH || m->role[i] == outer || !uses_sym(sub, m->nest->loop[i].var));
    return own;
}

/* Elements from one to the next in dimension `at`. */
static Node *apart_in(Ir *ir, const Sym *array, int at)
{
    Node *apart = ix_int(ir, 1);
    for (int d = at + 1; d < array->rank; d++)
        apart = ix_mul(ir, apart, widen(ir, array->extent[d]));
    return apart;
}

Gather *find_placed_gather(const Mapping *m, const Operand *o, Role outer)
{
    Ir *ir = m->ir;
    Node *load = o->value, *rest[MAX_LOOPS];
    Gather *g = arena_alloc(ir->arena, sizeof *g);
    if (load->kind != N_LOAD || load->nkids > MAX_LOOPS)
        return NULL;
    for (int d = 0; d < load->nkids; d++) {
        rest[d] = load->kid[d];
        if (!is_placed(m, load->kid[d], outer))
            continue;
        Node *apart = apart_in(ir, load->sym, d), *elements = ix_mul(ir, widen(ir, load->kid[d]), apart);
        g->placed = g->placed ? ix_add(ir, g->placed, elements) : elements;
        g->apart = g->apart ? mk_binary(ir, N_OR, g->apart, apart) : apart;
        rest[d] = mk_int(ir, (Type)load->kid[d]->type, 0);
    }
    if (!g->placed)
        return NULL;
    /* Without steps the spec reads nothing. */
    g->placed = mk_select(ir, mk_binary(ir, N_GT, m->c->extent[R_K], ix_int(ir, 0)), g->placed, ix_int(ir, 0));
    return gather_of_load(m, g, mk_load(ir, load->sym, load->nkids, rest));
}
