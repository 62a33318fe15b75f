/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Whether a choice makes a difference is found by making it. */
#include "gen/driver/place_producers.h"

#include <inttypes.h>

#include "fuse/array_contraction.h"
#include "fuse/fuse_loops.h"
#include "plan/add_remark.h"
#include "plan/fingerprint.h"
#include "plan/temporary.h"

/* The operator's producers placed so; `arrays` becomes their list. */
static FuseInput input_of(Ir *ir, const Operator *op, const PlanOptions *opt, const Placement *placed, Vec *arrays)
{
    for (int i = 0; i < op->plan->nproducers; i++)
        vec_push(ir->arena, arrays, op->plan->producers[i].array);
    return (FuseInput){.strict = opt->fp_strict, .for_threads = opt->cuda, .arrays = arrays, .placed = placed};
}

/* The same, placed as the plan says. */
static FuseInput planned_input(Ir *ir, const Operator *op, const PlanOptions *opt, Vec *arrays)
{
    Placement *placed = arena_new_array(ir->arena, Placement, op->plan->nproducers + 1);
    for (int i = 0; i < op->plan->nproducers; i++)
        placed[i] = op->plan->producers[i].placement;
    return input_of(ir, op, opt, placed, arrays);
}

static void remark(Ir *ir, Plan *plan, const Producer *p)
{
    const char *word = placement_info[p->placement].word;
    if (p->placement == PLACE_PLANNED)
        return;
    const char *text = p->fits ? arena_printf(ir->arena, "the profile has chosen '%s' for '%s': %s", word, p->array->name,
                                              placement_info[p->placement].what)
                               : arena_printf(ir->arena, "the profile has chosen '%s' for '%s', which cannot be: it is as planned", word,
                                              p->array->name);
    add_remark(ir, &plan->remarks, p->array->loc, p->fits ? REMARK_OPTIMIZED : REMARK_MISSED, false, text);
}

static bool is_asked(const FusePlan *fusion, const Sym *array)
{
    for (int i = 0; i < fusion->asked; i++)
        if (fusion->anew.items[i] == array)
            return true;
    return false;
}

void place_producers(Ir *ir, Operator *op, const PlanOptions *opt)
{
    Vec arrays = {0};
    const FuseInput in = planned_input(ir, op, opt, &arrays);
    op->fusion = plan_fusion(ir, op->apart, &in);
    for (int i = 0; i < op->plan->nproducers; i++) {
        Producer *p = &op->plan->producers[i];
        p->fits = p->placement != PLACE_INLINED || is_asked(&op->fusion, p->array);
        if (opt->remarks)
            remark(ir, op->plan, p);
    }
}

Node *compute_anew(Ir *ir, const Operator *op, const PlanOptions *opt, Node *body)
{
    Vec arrays = {0};
    const FuseInput in = planned_input(ir, op, opt, &arrays);
    return rematerialize(ir, body, &in, &op->fusion);
}

Node *merge_around_producers(Ir *ir, const Operator *op, const PlanOptions *opt, Node *body)
{
    Vec arrays = {0};
    const FuseInput in = planned_input(ir, op, opt, &arrays);
    return merge_planned(ir, body, &in);
}

Node *contract_producers(Ir *ir, const Operator *op, Node *body)
{
    const Vec arrays = temporaries_of_loops(ir, op->plan);
    Vec left = {0};
    for (int i = 0; i < op->fusion.kept.count; i++)
        vec_push(ir->arena, &left, op->fusion.kept.items[i]);
    body = shrink_arrays(ir, body, &left);
    drop_temporaries(ir, op->plan, &arrays, &left);
    return body;
}

/* ---------------------------------------------------------------- choices */

typedef struct Tried {
    uint64_t fingerprint; /* of the loops */
    bool stays;           /* the producer, as an array */
} Tried;

/* With one producer placed so, the others as planned. */
static Tried tried(const Ir *ir, const Operator *op, const PlanOptions *opt, int i, Placement placement)
{
    Ir trial = ir_trial(ir);
    Placement *placed = arena_new_array(trial.arena, Placement, op->plan->nproducers);
    Tried result = {0};
    Vec arrays = {0};
    placed[i] = placement;
    const FuseInput in = input_of(&trial, op, opt, placed, &arrays);
    const FusePlan fusion = plan_fusion(&trial, op->apart, &in);
    result.fingerprint = fingerprint(&trial, fuse_planned(&trial, op->apart, &in, &fusion));
    for (int at = 0; at < fusion.left.count; at++)
        result.stays = result.stays || fusion.left.items[at] == op->plan->producers[i].array;
    ir_trial_end(&trial);
    return result;
}

unsigned placements_offered(const Ir *ir, const Operator *op, int i, const PlanOptions *opt)
{
    Tried seen[PLACEMENT_COUNT];
    unsigned offered = 1u << PLACE_PLANNED;
    const Producer *p = &op->plan->producers[i];
    if (p->number < 0 || p->number >= MOST_PLACED)
        return offered;
    for (int placement = 0; placement < PLACEMENT_COUNT; placement++) {
        seen[placement] = tried(ir, op, opt, i, (Placement)placement);
        bool is_new = placement != PLACE_INLINED || seen[PLACE_PLANNED].stays;
        for (int before = 0; before < placement; before++)
            is_new = is_new && seen[before].fingerprint != seen[placement].fingerprint;
        offered |= (unsigned)(is_new || (placement == PLACE_WHOLE && p->by_rows)) << placement;
    }
    return offered;
}

void print_producers(const Ir *ir, const Operator *op, const PlanOptions *opt, Text *out)
{
    const Plan *plan = op->plan;
    bool any = false;
    for (int i = 0; i < plan->nproducers; i++) {
        const unsigned offered = placements_offered(ir, op, i, opt);
        if (offered == 1u << PLACE_PLANNED)
            continue;
        if (any)
            text_puts(out, "; ");
        else
            text_printf(out, "// %s, %016" PRIx64 ": ", plan->func->name, plan->fingerprint);
        any = true;
        text_printf(out, "%d %s ", plan->producers[i].number, plan->producers[i].array->name);
        for (int placement = 0; placement < PLACEMENT_COUNT; placement++)
            if (offered >> placement & 1)
                text_printf(out, "%s%s", placement ? ", " : "", placement_info[placement].word);
    }
    if (any)
        text_puts(out, "\n");
}
