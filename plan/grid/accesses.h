/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Straight-line bodies of grids, whose accesses may be moved apart: all loads, then the arithmetic, then all stores. */
#ifndef MIKGEN_PLAN_GRID_ACCESSES_H
#define MIKGEN_PLAN_GRID_ACCESSES_H

#include "ir/node.h"

typedef struct BodyAccess {
    Node *node;   /* N_LOAD; of an element that is only stored: an N_LOAD that names it */
    bool read, stored;
    bool certain; /* every run of the body reads or stores it */
} BodyAccess;

/* The elements that a body without loops and local arrays touches, each once, in *accesses (BodyAccess). False for other
 * bodies, and when an element that is stored may be another one's under another spelling. */
bool body_accesses(Ir *ir, Node *body, Vec *accesses);

#endif
