/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The operator's body is gone through once, with numbers: conditions that are known choose, others count both ways. */
#include "gen/driver/shape_work.h"

#include <math.h>

#include "plan/fitted.h"
#include "plan/nests/work.h"

enum { UNKNOWN_TRIPS = 16 };

/* ---------------------------------------------------------------- expressions */

static double compare(Kind kind, double a, double b)
{
    if (isnan(a) || isnan(b))
        return NAN;
    switch (kind) {
    case N_LT: return a < b;
    case N_LE: return a <= b;
    case N_GT: return a > b;
    case N_GE: return a >= b;
    case N_EQ: return a == b;
    default: return a != b;
    }
}

static double divide(const Node *n, double a, double b)
{
    if (b == 0)
        return NAN;
    if (n->kind == N_MOD)
        return fmod(a, b);
    return type_is_float(n->type) ? a / b : trunc(a / b);
}

/* One side may decide alone. */
static double both(double a, double b) { return a == 0 || b == 0 ? 0 : isnan(a) || isnan(b) ? NAN : 1; }
static double either(double a, double b)
{
    const bool yes = (!isnan(a) && a != 0) || (!isnan(b) && b != 0);
    return yes ? 1 : isnan(a) || isnan(b) ? NAN : 0;
}

double shape_number(const Node *n, const Map *values)
{
    if (n->kind == N_LOAD || n->kind == N_CALL)
        return NAN;
    const double *known = n->kind == N_VAR ? map_get(values, n->sym->id) : NULL;
    const double a = n->nkids > 0 ? shape_number(n->kid[0], values) : 0, b = n->nkids > 1 ? shape_number(n->kid[1], values) : 0;
    switch ((Kind)n->kind) {
    case N_INT: return (double)n->u.i;
    case N_FLOAT: return (double)n->u.f;
    case N_VAR: return known ? *known : NAN;
    case N_CAST: return a;
    case N_NEG: return -a;
    case N_LNOT: return isnan(a) ? NAN : a == 0;
    case N_ADD: return a + b;
    case N_SUB: return a - b;
    case N_MUL: return a * b;
    case N_DIV:
    case N_MOD: return divide(n, a, b);
    case N_MIN: return isnan(a) || isnan(b) ? NAN : fmin(a, b);
    case N_MAX: return isnan(a) || isnan(b) ? NAN : fmax(a, b);
    case N_LT:
    case N_LE:
    case N_GT:
    case N_GE:
    case N_EQ:
    case N_NE: return compare((Kind)n->kind, a, b);
    case N_LAND: return both(a, b);
    case N_LOR: return either(a, b);
    case N_SEL: return isnan(a) ? NAN : a != 0 ? b : shape_number(n->kid[2], values);
    default: return NAN;
    }
}

/* ---------------------------------------------------------------- statements */

typedef struct Body {
    Ir *ir;
    const Plan *plan;
    Map *values;
} Body;

/* What nobody knows counts nothing. */
static double positive(const Body *b, const Node *n)
{
    const double value = n ? shape_number(n, b->values) : 0;
    return value > 0 ? value : 0;
}

static double work_of_nest(const Body *b, const HostNest *nest)
{
    return positive(b, nest->costs.work ? nest->costs.work : nest->source ? loop_work(b->ir, nest->source) : NULL);
}

static double work_of_product(const Body *b, const Contraction *c)
{
    double count = WORK_MULTIPLY_ADD_NS;
    for (int role = 0; role < R_COUNT; role++)
        count *= c->extent[role] ? positive(b, c->extent[role]) : 1;
    return count;
}

/* How large ragged batches are says memory. */
static double work_of_stage(const Body *b, const Stage *stage)
{
    double work = 0;
    switch (stage->stage_kind) {
    case STAGE_CONTRACTION: return work_of_product(b, (const Contraction *)stage);
    case STAGE_HOST_NEST: return work_of_nest(b, (const HostNest *)stage);
    case STAGE_RAGGED: return 0;
    default:
        for (int i = 0; i < stage->nmembers; i++)
            work += work_of_stage(b, stage->members[i]);
        return stage->stage_kind == STAGE_WAVE && ((const Wave *)stage)->steps ? work * positive(b, ((const Wave *)stage)->steps) : work;
    }
}

static double work_of(const Body *b, const Node *n);

/* What is known not to run assigns nothing either. */
static double work_of_branch(const Body *b, const Node *n)
{
    const double holds = shape_number(n->kid[0], b->values);
    const bool may_hold = isnan(holds) || holds != 0, may_not = (isnan(holds) || holds == 0) && n->nkids > 2;
    const double then = may_hold ? work_of(b, n->kid[1]) : 0, otherwise = may_not ? work_of(b, n->kid[2]) : 0;
    return isnan(holds) ? (then + otherwise) / 2 : then + otherwise;
}

/* Its variable stays unknown. */
static double work_of_loop(const Body *b, const Node *n)
{
    const Node *until = n->kid[1];
    const double from = shape_number(n->kid[0], b->values), to = until->nkids == 2 ? shape_number(until->kid[1], b->values) : NAN;
    const double trips = isnan(from) || isnan(to) ? UNKNOWN_TRIPS : ceil((to - from) / (double)n->u.i);
    return trips > 0 ? trips * work_of(b, n->kid[2]) : 0;
}

static double work_of(const Body *b, const Node *n)
{
    double work = 0;
    switch ((Kind)n->kind) {
    case N_BLOCK:
        for (int i = 0; i < n->nkids; i++)
            work += work_of(b, n->kid[i]);
        return work;
    case N_DECL:
    case N_ASSIGN:
        if (n->nkids && !n->sym->rank) {
            double *value = arena_new_array(b->ir->arena, double, 1);
            *value = n->aux && n->kind == N_ASSIGN ? NAN : shape_number(n->kid[0], b->values);
            *map_at(b->ir->arena, b->values, n->sym->id) = value;
        }
        return 0;
    case N_IF: return work_of_branch(b, n);
    case N_FOR: return work_of_loop(b, n);
    case N_CONTRACT:
    case N_LAUNCH: return work_of_stage(b, stage_at(b->plan, n));
    default: return 0;
    }
}

double shape_work(Ir *ir, const Plan *plan, Map *values)
{
    const Body body = {ir, plan, values};
    return work_of(&body, plan->func->body);
}
