/* SPDX-License-Identifier: GPL-3.0-or-later */
/* One row of a nest by several threads ("lanes"): parallel loops and reductions of the row's body are dealt out to the
 * lanes, iteration t to lane t mod width; everything else is done by all of them alike, with the same scalars, except
 * stores, which lane 0 does. A reduction's parts are combined in a fixed order, after which every lane has the result.
 *
 *     float top = -INFINITY;                       float top = -INFINITY;
 *     for (j = 0; j < n; j++)                      for (j = lane; j < n; j += 32)
 *         top = fmaxf(top, x[i][j]);       =>          top = fmaxf(top, x[i][j]);
 *     for (j = 0; j < n; j++)                      top = mik_fmax<32>(top);
 *         y[i][j] = x[i][j] - top;                 for (j = lane; j < n; j += 32)
 *                                                      y[i][j] = x[i][j] - top;
 *
 * Barriers stand between what one lane writes and another touches. */
#ifndef MIKGEN_PLAN_GRID_LANES_H
#define MIKGEN_PLAN_GRID_LANES_H

#include "ir/node.h"

typedef struct LaneGroup {
    int width;
    const char *suffix;  /* of the combining functions: "<32>"         */
    const char *barrier; /* "__syncwarp", "__syncthreads"              */
    bool guarded;        /* a lane stores only where `on` is not 0     */
} LaneGroup;

/* A sum over everything by many blocks: each reduces a part of the iterations, then one block the parts.
 * PARTS: up to the one loop that is dealt out; chunk number `chunk` of `chunks` of its iterations; the result goes to
 * part[i][row * chunks + chunk] for reduction i. WHOLE: everything, that loop being one over the parts. */
typedef enum Share { SHARE_NONE, SHARE_PARTS, SHARE_WHOLE } Share;

enum { MAX_PARTS = 8 };

typedef struct Shared {
    Share share;
    Sym *row, *chunk, *chunks; /* T_INDEX */
    Sym *part[MAX_PARTS];      /* pointers, filled in */
    int nparts;
} Shared;

typedef struct LaneInput {
    Ir *ir;
    Node *body;   /* of one row */
    bool strict;  /* no floating-point sum is reordered */
    Sym *lane;    /* T_INT, 0 .. width - 1 */
    Sym *on;      /* T_INT, of guarded groups */
    Shared *shared; /* or NULL */
    bool (*host_knows)(const void *user, Node *e); /* may the host evaluate it before the launch? */
    const void *user;
} LaneInput;

typedef struct Lanes {
    Node *body;
    Node *steps;  /* T_INDEX, for the host: iterations of the longest loop that is dealt out; NULL: it cannot know      */
    Node *reach;  /* T_INDEX, for the host: a value that fits int, or else lanes' loops overflow; NULL: they never do   */
    int nearness; /* coalescing() of the loops dealt out */
    bool shares;  /* may be done in SHARE_PARTS and SHARE_WHOLE */
    bool flat;    /* they all stand directly in the row's body: lanes of different rows meet at the same barriers     */
} Lanes;

/* False when nothing can be dealt out. *why, if that is not NULL, then says what of a reduction is in the way. */
bool spread_over_lanes(const LaneInput *in, const LaneGroup *group, Lanes *out, const char **why);

#endif
