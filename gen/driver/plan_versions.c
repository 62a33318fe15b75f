/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Each body is planned once. */
#include "gen/driver/plan_versions.h"

#include "depend/scope.h"
#include "fuse/array_contraction.h"
#include "fuse/fuse_loops.h"
#include "fuse/in_place.h"
#include "fuse/merge.h"
#include "ir/walk.h"
#include "plan/grid/scalar_cells.h"
#include "plan/split/operator.h"
#include "plan/temporary.h"

/* Local arrays that will be left of the plan's. */
static int arrays_left(const Versions *c, const Plan *plan, Node *body)
{
    const Vec arrays = temporaries_of_loops(c->ir, plan);
    const FuseInput in = {.strict = c->plan->fp_strict, .for_threads = c->plan->cuda, .arrays = &arrays};
    return plan->ntemporaries - arrays.count + plan_fusion(c->ir, body, &in).left.count;
}

/* `v` with its plan; f->body stays. */
static void plan_version(const Versions *c, Func *f, Version *v)
{
    Node *before = f->body;
    PlanOptions opt = *c->plan;
    PassWatch watch = *opt.watch;
    text_init(&v->steps, c->ir->arena);
    watch.out = &v->steps;
    opt.watch = &watch;
    f->body = v->merged;
    v->plan = plan_operator(c->ir, f, &opt);
    v->planned = f->body;
    f->body = before;
}

/* What is done with each element of a contraction in loops of its own becomes part of it where that saves an array, unless that hides the
 * contraction. */
static void merge_version(const Versions *c, Func *f, Version *v)
{
    Version merged = *v;
    Node *narrowed = narrow_scopes(c->ir, f);
    merged.fused = merge_pointwise(c->ir, narrowed, c->plan->fp_strict);
    if (!contraction_count(v->plan) || merged.fused == narrowed)
        return;
    merged.merged = shrink_own_arrays(c->ir, merged.fused);
    plan_version(c, f, &merged);
    if (contraction_count(merged.plan) >= contraction_count(v->plan) &&
        arrays_left(c, merged.plan, merged.planned) < arrays_left(c, v->plan, v->planned))
        *v = merged;
}

const Version *version_of(const Versions *c, Operator *op, Func *f)
{
    for (int i = 0; i < op->versions.count; i++) {
        const Version *known = op->versions.items[i];
        if (f->body == known->body || f->body == known->fused || f->body == known->merged)
            return known;
    }
    Version *v = arena_new_array(c->ir->arena, Version, 1);
    v->body = v->fused = v->merged = f->body;
    plan_version(c, f, v);
    if (!c->fuse_off)
        merge_version(c, f, v);
    vec_push(c->ir->arena, &op->versions, v);
    return v;
}

static bool is_operand(const Plan *plan, const Sym *array)
{
    bool yes = false;
    for (int i = 0; i < contraction_count(plan); i++)
        yes = yes || reads_array(contraction_at(plan, i)->a.value, array) || reads_array(contraction_at(plan, i)->b.value, array);
    return yes;
}

/* The body with some contraction's operand in the place of another one's outputs, of which it is made element by element; NULL: there is
 * none. */
static Node *body_in_place(const Versions *c, const Plan *plan, Node *body)
{
    Node *placed = NULL;
    for (int i = 0; i < contraction_count(plan) && !placed; i++)
        for (int j = 0; j < plan->ntemporaries && !placed; j++) {
            Sym *from = contraction_at(plan, i)->c.array, *to = plan->temporaries[j].array;
            placed = from && is_operand(plan, to) ? store_in_place(c->ir, body, from, to) : NULL;
        }
    return placed;
}

/* Blocks of rows that go from contraction to contraction take half the room then. */
void reuse_storage(const Versions *c, Operator *op, Func *f)
{
    const Version *v = version_of(c, op, f);
    for (Node *before = f->body, *body; (body = body_in_place(c, v->plan, before)); before = body) {
        f->body = body;
        const Version *placed = version_of(c, op, f);
        if (contraction_count(placed->plan) < contraction_count(v->plan)) {
            f->body = before;
            return;
        }
        v = placed;
    }
}

void cells_of_scalars(const Versions *c, Operator *op, Func *f) { f->body = scalars_in_cells(c->ir, version_of(c, op, f)->plan, f->body); }
