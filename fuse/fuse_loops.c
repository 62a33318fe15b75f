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

static Node *merged_loops(Ir *ir, Node *body, const FuseInput *in, const Vec *arrays, Vec *left)
{
    Vec apart = {0};
    for (int i = 0; i < arrays->count; i++)
        if (placement_of(in, arrays->items[i]) == PLACE_WHOLE)
            vec_push(ir->arena, &apart, arrays->items[i]);
    *left = all_but(ir, arrays, NULL);
    return shrink_arrays(ir, merge_loops(ir, body, in->strict, in->for_threads, &apart), left);
}

/* Without the arrays that are to be computed anew, where that can be. `kept` loses them. */
static Node *inline_asked(Ir *ir, Node *body, const FuseInput *in, Vec *kept, bool *inlined)
{
    for (int i = 0; i < in->arrays->count; i++) {
        const bool asked = in->placed && in->placed[i] == PLACE_INLINED;
        Node *without = asked ? recompute_elements(ir, body, in->arrays->items[i], RECOMPUTE_ALWAYS) : NULL;
        if (inlined)
            inlined[i] = without != NULL;
        if (!without)
            continue;
        body = without;
        *kept = all_but(ir, kept, in->arrays->items[i]);
    }
    return body;
}

static bool may_be_inlined(const FuseInput *in, const Sym *array)
{
    const Placement placement = placement_of(in, array);
    return placement == PLACE_PLANNED || placement == PLACE_INLINED;
}

/* An array that merging leaves is not kept if that leaves no other one instead. */
Node *fuse_loops(Ir *ir, Node *body, const FuseInput *in, Vec *left, bool *inlined)
{
    enum { WORTH_A_PASS = 16, WORTH_A_LAUNCH = 80, MOST_TRIED = 32 };
    Vec kept = all_but(ir, in->arrays, NULL);
    body = inline_asked(ir, body, in, &kept, inlined);
    Node *fused = merged_loops(ir, body, in, &kept, left);
    const Vec tried = *left;
    for (int i = 0; i < tried.count && i < MOST_TRIED; i++) {
        if (!may_be_inlined(in, tried.items[i]))
            continue;
        Node *without = recompute_elements(ir, body, tried.items[i], in->for_threads ? WORTH_A_LAUNCH : WORTH_A_PASS);
        const Vec others = all_but(ir, &kept, tried.items[i]);
        Vec fewer;
        Node *again = without ? merged_loops(ir, without, in, &others, &fewer) : NULL;
        if (!again || fewer.count >= left->count)
            continue;
        body = without;
        fused = again;
        kept = others;
        *left = fewer;
    }
    return drop_unused(ir, fused);
}
