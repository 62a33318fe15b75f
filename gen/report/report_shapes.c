/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Draws shapes as the tuner does, and varies one extent at a time. */
#include "gen/report/report_shapes.h"

#include <stdlib.h>
#include <string.h>

#include "gen/driver/nest_shapes.h"
#include "ir/walk.h"

enum { OF_OPERATOR = 20 }; /* at most, unless a file has more */

typedef struct Requests {
    Ir *ir;
    const Options *opt;
    Vec all; /* CallRequest */
    int first; /* of the operator at hand */
} Requests;

static bool is_there(const Requests *r, int op, const int64_t *values, int n)
{
    for (int i = r->first; i < r->all.count; i++) {
        const CallRequest *other = r->all.items[i];
        if (other->op == op && memcmp(other->values, values, (size_t)n * sizeof *values) == 0)
            return true;
    }
    return false;
}

static void add(Requests *r, int op, const int64_t *values, int n)
{
    if (is_there(r, op, values, n) || (!r->opt->calls.shapes && r->all.count - r->first >= OF_OPERATOR))
        return;
    int64_t *own = arena_new_array(r->ir->arena, int64_t, n + 1);
    CallRequest *request = arena_alloc(r->ir->arena, sizeof *request);
    memcpy(own, values, (size_t)n * sizeof *values);
    *request = (CallRequest){op, r->opt->calls.threads ? r->opt->calls.threads : 1, own};
    vec_push(r->ir->arena, &r->all, request);
}

/* The extents "64x1000" of an operator as values. */
static const int64_t *values_of(Ir *ir, const Func *f, const char *extents)
{
    int n;
    const FeatureValue *pairs = shape_values(ir->arena, f, extents, &n);
    int64_t *values = arena_new_array(ir->arena, int64_t, n + 1);
    for (int i = 0; i < n; i++)
        values[i] = pairs[i].value;
    return values;
}

static bool is_extent(const Func *f, const Sym *p)
{
    for (int i = 0; i < f->nparams; i++)
        for (int d = 0; d < f->params[i]->rank; d++)
            if (uses_sym(f->params[i]->extent[d], p))
                return true;
    return false;
}

static bool fits(const Sym *p, int64_t value)
{
    return value >= 0 && value <= type_max(p->type) && (!p->has_hint || (value >= p->hint_lo && value <= p->hint_hi));
}

/* One extent at a time is 1, one more, four times as large. */
static void vary(Requests *r, int op, const Func *f, const int64_t *values, int n)
{
    int64_t *other = arena_new_array(r->ir->arena, int64_t, n + 1);
    for (int way = 0; way < 3; way++)
        for (int i = 0, v = 0; i < f->nparams; i++) {
            const Sym *p = f->params[i];
            if (!is_int_param(p))
                continue;
            const int64_t value = way == 0 ? 1 : way == 1 ? values[v] + 1 : 4 * values[v];
            memcpy(other, values, (size_t)n * sizeof *values);
            other[v] = value;
            if (values[v] >= 8 && is_extent(f, p) && fits(p, value))
                add(r, op, other, n);
            v++;
        }
}

static void draw(Requests *r, const Program *program, int op)
{
    const Plan *plan = program->operators[op].plan;
    const char *extents[DRAWN_SHAPES];
    const int count = drawn_shapes(r->ir, plan, extents), n = count_ints(plan->func);
    r->first = r->all.count;
    for (int i = 0; i < count; i++)
        add(r, op, values_of(r->ir, plan->func, extents[i]), n);
    vary(r, op, plan->func, values_of(r->ir, plan->func, extents[count / 2]), n);
}

CallRequest *report_shapes(Ir *ir, const Options *opt, const SpecText *specs, const Program *program, int *n)
{
    Requests r = {.ir = ir, .opt = opt};
    TuneSpec spec = {.text = specs, .program = *program};
    if (opt->calls.shapes && !nest_shapes(ir, &spec, 1, opt->calls.shapes))
        return NULL;
    for (int i = 0; i < spec.shapes.count; i++) {
        const NestShape *shape = spec.shapes.items[i];
        const Func *f = program->operators[shape->op].plan->func;
        add(&r, shape->op, values_of(ir, f, shape->extents), count_ints(f));
    }
    for (int op = 0; !opt->calls.shapes && op < program->noperators; op++)
        draw(&r, program, op);
    CallRequest *requests = arena_new_array(ir->arena, CallRequest, r.all.count + 1);
    for (int i = 0; i < r.all.count; i++)
        requests[i] = *(const CallRequest *)r.all.items[i];
    *n = r.all.count;
    return requests;
}
