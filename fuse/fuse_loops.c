/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What is asked for comes first: arrays computed anew are gone before any loops are merged. */
#include "fuse/fuse_loops.h"

#include "depend/scope.h"
#include "fuse/merge.h"
#include "fuse/rematerialize.h"
#include "fuse/array_contraction.h"

static Placement placement_of(const FuseInput *in, const Sym *array)
{
    for (int i = 0; in->placed && i < in->arrays->count; i++)
        if (in->arrays->items[i] == array)
            return in->placed[i];
    return PLACE_PLANNED;
}

static Vec all_but(Ir *ir, const Vec *arrays, const Sym *array)
{
    Vec others = {0};
    for (int i = 0; i < arrays->count; i++)
        if (arrays->items[i] != array)
            vec_push(ir->arena, &others, arrays->items[i]);
    return others;
}

enum { WORTH_A_PASS = 16, WORTH_A_LAUNCH = 80, MOST_TRIED = 32 };

static int worth(const FuseInput *in) { return in->for_threads ? WORTH_A_LAUNCH : WORTH_A_PASS; }

Node *merge_planned(Ir *ir, Node *body, const FuseInput *in)
{
    Vec apart = {0};
    for (int i = 0; i < in->arrays->count; i++)
        if (placement_of(in, in->arrays->items[i]) == PLACE_WHOLE)
            vec_push(ir->arena, &apart, in->arrays->items[i]);
    return merge_loops(ir, body, in->strict, in->for_threads, &apart);
}

/* Those of `arrays` that merging leaves. */
static Vec left_of(Ir *ir, Node *body, const FuseInput *in, const Vec *arrays)
{
    Vec left = all_but(ir, arrays, NULL);
    shrink_arrays(ir, merge_planned(ir, body, in), &left);
    return left;
}

/* Without the arrays that are to be computed anew, where that can be. */
static Node *inline_asked(Ir *ir, Node *body, const FuseInput *in, FusePlan *plan)
{
    for (int i = 0; i < in->arrays->count; i++) {
        Sym *array = in->arrays->items[i];
        const bool asked = in->placed && in->placed[i] == PLACE_INLINED;
        Node *without = asked ? recompute_elements(ir, body, array, RECOMPUTE_ALWAYS) : NULL;
        if (!without)
            continue;
        body = without;
        vec_push(ir->arena, &plan->anew, array);
        plan->kept = all_but(ir, &plan->kept, array);
    }
    plan->asked = plan->anew.count;
    return body;
}

static bool may_be_inlined(const FuseInput *in, const Sym *array)
{
    const Placement placement = placement_of(in, array);
    return placement == PLACE_PLANNED || placement == PLACE_INLINED;
}

/* An array that merging leaves is not kept if that leaves no other one instead. */
FusePlan plan_fusion(Ir *ir, Node *body, const FuseInput *in)
{
    FusePlan plan = {.kept = all_but(ir, in->arrays, NULL)};
    body = inline_asked(ir, body, in, &plan);
    plan.left = left_of(ir, body, in, &plan.kept);
    const Vec tried = plan.left;
    for (int i = 0; i < tried.count && i < MOST_TRIED; i++) {
        Sym *array = tried.items[i];
        Node *without = may_be_inlined(in, array) ? recompute_elements(ir, body, array, worth(in)) : NULL;
        if (!without)
            continue;
        const Vec others = all_but(ir, &plan.kept, array), fewer = left_of(ir, without, in, &others);
        if (fewer.count >= plan.left.count)
            continue;
        body = without;
        vec_push(ir->arena, &plan.anew, array);
        plan.kept = others;
        plan.left = fewer;
    }
    return plan;
}

Node *rematerialize(Ir *ir, Node *body, const FuseInput *in, const FusePlan *plan)
{
    for (int i = 0; i < plan->anew.count; i++)
        body = recompute_elements(ir, body, plan->anew.items[i], i < plan->asked ? RECOMPUTE_ALWAYS : worth(in));
    return body;
}

Node *fuse_planned(Ir *ir, Node *body, const FuseInput *in, const FusePlan *plan)
{
    Vec kept = all_but(ir, &plan->kept, NULL);
    Node *merged = merge_planned(ir, rematerialize(ir, body, in, plan), in);
    return drop_unused(ir, shrink_arrays(ir, merged, &kept));
}
