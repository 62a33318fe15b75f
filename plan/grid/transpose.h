/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Transposes and their like: what one array is read along, another is written along the other loop. A tile of 32 x 32
 * elements goes through shared memory, so that both are reached by neighbouring threads at neighbouring places. */
#ifndef MIKGEN_PLAN_GRID_TRANSPOSE_H
#define MIKGEN_PLAN_GRID_TRANSPOSE_H

#include "ir/node.h"

typedef struct Tile {
    Node *load;  /* what is fetched: far along x, near along y; its array is not stored to */
    Sym *value;  /* stands for it in */
    Node *body;  /* what is done with it */
    int along;   /* which of the loops is to be y */
} Tile;

/* Does the body of these loops, of which number `x` goes along the x axis, read one element that way? */
bool find_tile(Ir *ir, Node *const *loops, int nloops, int x, Node *body, Tile *tile);

#endif
