/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Each loop of the body by itself: distributed, and its nests replaced, as if it were a ragged batch; what comes of that is looked at. */
#include "plan/split/ragged_loops.h"

#include "depend/env.h"
#include "ir/walk.h"
#include "plan/split/distribute.h"
#include "plan/split/find_ragged.h"
#include "plan/contract/replace.h"

/* Is the scalar's value one that only the device has? What lies between its first use and its last is one thread's then, which launches
 * nothing. */
static bool is_of_device(Node *body, const Node *decl)
{
    bool own = decl->nkids == 0 || reads_array(decl->kid[0], NULL);
    for (int i = 0; i < body->nkids; i++)
        own = own || (body->kid[i] != decl && writes_sym(body->kid[i], decl->sym));
    return own;
}

static bool has_device_scalars(Node *body)
{
    bool any = false;
    for (int i = 0; i < body->nkids; i++)
        any = any || (body->kid[i]->kind == N_DECL && !body->kid[i]->sym->rank && is_of_device(body, body->kid[i]));
    return any;
}

/* The body with one statement taken apart and replaced; NULL: that made several of it. */
static Node *replaced(const NestContext *context, const PlanOptions *opt, Node *body, int at, Plan *plan)
{
    Ir *ir = context->ir;
    Node *alone = distribute(context, opt, NULL, mk_block(ir, 1, &body->kid[at], body->loc));
    if (alone->nkids != 1 || alone->kid[0]->kind != N_FOR || alone->kid[0]->sym != body->kid[at]->sym)
        return NULL;
    NestContext own = *context;
    Node **kids = arena_new_array(ir->arena, Node *, body->nkids);
    for (int i = 0; i < body->nkids; i++)
        kids[i] = i == at ? alone->kid[0] : body->kid[i];
    own.ndefs = ir->nsyms;
    own.defs = find_defs(ir, mk_block(ir, body->nkids, kids, body->loc));
    Vec found = {0};
    alone = replace_contractions(&own, opt, alone, &found);
    set_stages(ir->arena, &plan->stages, STAGE_CONTRACTION, &found);
    return alone->kid[0];
}

Vec find_ragged_loops(const NestContext *context, const PlanOptions *opt, Node *body)
{
    Vec loops = {0};
    if (has_device_scalars(body))
        return loops;
    for (int i = 0; i < body->nkids; i++) {
        const Node *loop = body->kid[i];
        NestContext own = *context;
        Plan plan = {.func = (Func *)context->func};
        if (loop->kind != N_FOR || !loop_declares(loop))
            continue;
        own.ragged = (Vec){0};
        vec_push(context->ir->arena, &own.ragged, loop->sym);
        Node *tried = replaced(&own, opt, body, i, &plan);
        if (tried && is_ragged_loop(context->ir, &plan, opt, tried))
            vec_push(context->ir->arena, &loops, loop->sym);
    }
    return loops;
}
