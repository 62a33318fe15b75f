/* SPDX-License-Identifier: GPL-3.0-or-later */
/* One grid of the CUDA target: which loop goes along which axis, and the functions that run it (plan.h: DeviceNest). */
#ifndef MIKGEN_PLAN_GRID_DEVICE_NEST_H
#define MIKGEN_PLAN_GRID_DEVICE_NEST_H

#include "plan/plan.h"

typedef struct NestInput {
    Ir *ir;
    const char *stem;
    bool strict; /* no floating-point sum changes its order */
    const PlanOptions *opt;
    bool (*host_knows)(const void *user, Node *e); /* may the host evaluate it before the launch? */
    const void *user;
    Vec *remarks; /* PlanRemark, added to */
} NestInput;

/* `body` for every point of `loops`, outermost first, whose iterations are independent and whose bounds the host knows; of
 * no loops: `body` once. Captured scalars are not filled in. */
DeviceNest *nest_of_loops(const NestInput *in, Node *const *loops, int nloops, Node *body);

/* The loops around the body, as one nest. */
Node *nest_around(Ir *ir, Node *const *loops, int nloops, Node *body);

/* Would the loop itself be dealt out to the lanes of one block, as sums over everything are? */
bool is_dealt_out(const NestInput *in, Node *loop);

/* Remarks for a loop that runs in order, if it does; the phrase, or NULL. */
const char *note_ordered(const NestInput *in, Node *loop);

/* Fills in the scalars other than parameters that the host has (`host`, per symbol id, `nhost` entries) and the nest reads. */
void capture(Ir *ir, DeviceNest *nest, const bool *host, int nhost);

#endif
