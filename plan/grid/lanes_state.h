/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Between lanes.c, which goes through a row's statements, and lanes_reduce.c, which knows what lanes reduce. */
#ifndef MIKGEN_PLAN_GRID_LANES_STATE_H
#define MIKGEN_PLAN_GRID_LANES_STATE_H

#include "depend/reduce.h"
#include "ir/sym_map.h"
#include "plan/grid/lanes.h"

typedef struct LaneState {
    const LaneInput *in;
    const LaneGroup *group;
    Ir *ir;
    Lanes *out;
    Map defs;
    int ndefs, depth;
    int ndealt;           /* loops dealt out so far */
    Vec before;           /* SHARE_PARTS: Node *, statements before the loop, */
    Vec skipped;          /* and those of them that store, which are left out */
    bool done;            /* SHARE_PARTS: what follows is left out */
    bool *read, *written; /* per symbol id: arrays touched since the last barrier */
    bool *own;            /* per symbol id: local arrays of the row; every lane has its own copy */
    bool any, failed, steps_unknown;
    const char *why;
} LaneState;

/* Makers. */
void lane_push(LaneState *s, Vec *out, Node *n);
Node *lane_block(LaneState *s, const Vec *list, Loc loc);
/* lane == 0, lane != 0 */
Node *lane_is(LaneState *s, Kind cmp);

/* What a lane other than the first starts from, so that it changes nothing; NULL: from what the scalar is worth. */
Node *lane_neutral(Ir *ir, const Reduction *r);
/* All lanes get the result. */
void lane_combine(LaneState *s, const Reduction *r, Vec *out);

/* A choice while it is made in lanes: the value held, and the iteration that it is from. */
typedef struct Choice {
    const Reduction *r;
    Sym *held, *when;
} Choice;

/* The loop's body, noting what it chooses; declarations go before the loop. */
Node *lane_begin_choice(LaneState *s, Node *loop, Node *body, Choice *choice, Vec *out);
void lane_end_choice(LaneState *s, const Choice *choice, Vec *out);

/* SHARE_PARTS: the loop over one chunk, whose results go to memory. SHARE_WHOLE: the loop over what lies there. */
void lane_deal_part(LaneState *s, Node *loop, const Vec *reductions, Vec *out);
Node *lane_loop_over_parts(LaneState *s, Node *loop, const Vec *reductions);

#endif
