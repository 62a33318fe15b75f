/* SPDX-License-Identifier: GPL-3.0-or-later */
/* A nest's free loops in another order, and by tiles, whose last ones are as long as what is left:
 *
 *     for (i = 0; i < M; i++)                           for (j0 = 0; j0 < N; j0 += 512)         FOR_TILES
 *         for (j = 0; j < N; j++)            =>             for (i = 0; i < M; i++)
 *             Y[j][i] = X[i][j];                                for (j = j0; j < j_end; j++)        j_end = min(j0 + 512, N)
 *                                                                   Y[j][i] = X[i][j];
 *
 * What iterations of i have of the tile in common, lines of X or of Y here, is in a cache if the tile is not too large. */
#ifndef MIKGEN_PLAN_NESTS_PERMUTE_AND_TILE_H
#define MIKGEN_PLAN_NESTS_PERMUTE_AND_TILE_H

#include "plan/plan.h"

/* The nest's body as KNOB_ORDER, KNOB_TILE, KNOB_TILE_OUTER and KNOB_COLUMN_ROWS say; itself where they say nothing, or passes since have put
 * something between the loops that is no constant. */
Node *permute_and_tile(Ir *ir, const HostNest *nest, Node *body, const NestKnobs *knobs);

#endif
