/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Loops of a nest whose iterations are independent of one another and whose bounds the host knows: a grid.
 *
 *     for (i = 0; i < n; i++)                  band i, j; body
 *         for (j = i + 1; j < m; j++)              if (j >= i + 1) B
 *             B                                with j from 1 to m: the least and the greatest of its bounds
 *
 *     for (t = 0; t < T; t++)                  band j; body
 *         for (j = 0; j < m; j++)                  for t: B
 *             B                                where isl says that different j never meet, whatever t
 */
#ifndef MIKGEN_PLAN_GRID_BAND_H
#define MIKGEN_PLAN_GRID_BAND_H

#include "ir/node.h"

enum { BAND_LOOPS = 6 };

typedef struct Band {
    Node *loop[BAND_LOOPS]; /* outermost first, with bounds of their own that do not depend on one another; their bodies mean nothing */
    int n;
    Node *body; /* what every point of the band does */
} Band;

/* The greatest band that begins with `loop`; empty when there is none. */
Band find_band(Ir *ir, Node *loop, bool (*host_knows)(const void *user, Node *e), const void *user);

#endif
