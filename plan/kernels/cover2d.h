/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Exact cover of a whole output whose extents are constants: the integer program of plan/kernels/cover.h over the output.
 *
 *   max sum score[i][j] * z[i][j]   such that tiles mr[i] x nv[j] cover m rows and n vectors of columns exactly,
 *
 * cut guillotine fashion in two stages: bands of columns, each cut across into tiles of its width; or bands of rows, each
 * cut across into tiles of its height. Given the order, bands of one side are alike in a best cover, so one program per
 * side finds the best band, one more the best bands: together the optimum of the output. The better order counts. */
#ifndef MIKGEN_PLAN_KERNELS_COVER2D_H
#define MIKGEN_PLAN_KERNELS_COVER2D_H

#include <stdbool.h>
#include <stdint.h>

#include "plan/kernels/cover.h"

/* `count` times the side `side`: vectors for widths, rows for heights. */
typedef struct CoverPart {
    int side;
    int64_t count;
} CoverPart;

/* `band.count` bands `band.side` wide (or high), each cut into parts, whose sides are heights (or widths). Largest side
 * first, in both. */
typedef struct CoverBand {
    CoverPart band, *parts;
    int nparts;
} CoverBand;

typedef struct Cover2d {
    bool rows_first; /* bands of rows; else bands of columns */
    CoverBand *bands;
    int nbands;
    double time;     /* nanoseconds of all tiles */
} Cover2d;

/* The best cover of m > 0 rows and n > 0 columns by the set's tile kernels over k steps; k < 0: not known. NULL if the
 * set has no exact cover. `dp`: by dynamic programming instead of integer programs. Arena-owned. */
Cover2d *cover_2d(Arena *arena, const KernelSet *set, int64_t m, int64_t n, int64_t k, bool dp);

/* Best cover of one length > 0, however long, by n items with different sides in ascending order; returns its time,
 * COVER_NONE if there is none. What a combination of sides can do better than the side of the best rate lies within
 * (best side * largest side), because as many sides of any other kind have a sum that the best side divides; so the
 * program sees at most that, and copies of the best side take the rest. `dp`: by dynamic programming. */
double cover_length(Arena *arena, Ilp *ilp, const CoverItem *items, int n, int64_t length, bool dp, int64_t *count);

#endif
