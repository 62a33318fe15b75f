/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Exact cover of an output by register tiles instead of padding (DynaChain, section 3.2): columns by kernel widths
 * first, then rows by the heights of a width, sides adding up exactly, the sum of scores as large as possible. Each
 * line is an integer program (plan/kernels/ilp.h) that GLPK solves when the file is generated.
 *
 * A part of a best cover is a best cover of its part. So one program determines the best covers of many lengths, and a
 * table holds, for each length, one side of the best cover; what remains is looked up again. By the same principle the
 * solved line is verified: no side of any length may leave a rest with which it would beat what the program found. A
 * line that fails, or whose solver does, is solved by dynamic programming instead. Among equally good covers the one
 * with the largest side counts, so that the tables do not depend on the solver's order. */
#ifndef MIKGEN_PLAN_KERNELS_COVER_H
#define MIKGEN_PLAN_KERNELS_COVER_H

#include "plan/kernels/ilp.h"
#include "plan/kernels/tile_kernel.h"

enum {
    COVER_REGIMES = 3,  /* [0] short sums, [1] long ones: the time of a tile is not proportional to its steps; [2] long
                           sums with rows of A in place that fall into the same sets of a cache: low tiles only */
    COVER_RATED = 2,    /* regimes that differ by their steps */
    COVER_LOW = 10,     /* greatest height of low tiles: rows for which a set has room, with those that were fetched early */
    COVER_STEPS = 64,   /* sums of fewer steps are short */
    COVER_ROWS = 16,    /* a class of its own for each number of rows below; the last class is all others */
    COVER_WIDTHS = TILE_WIDTHS,
    COVER_COLUMNS = 32, /* vectors of columns that the tables cover */
    COVER_HEIGHTS = TILE_HEIGHTS,
};

/* columns[regime][rows][L]: the first width, the narrowest, in vectors, for L vectors of columns; rows are min(m, COVER_ROWS).
 * heights[regime][nv][r]: the first height for r rows of width nv, for r up to reach[nv], twice the tallest; 0: no
 * combination of heights has r rows. main[regime][nv]: the height of the best rate, for all rows before those last
 * ones; 0: no kernel. Columns of a class take only widths whose heights cover all its numbers of rows. */
typedef struct CoverTables {
    unsigned char columns[COVER_REGIMES][COVER_ROWS + 1][COVER_COLUMNS + 1];
    unsigned char heights[COVER_REGIMES][COVER_WIDTHS][2 * COVER_HEIGHTS + 1];
    unsigned char reach[COVER_WIDTHS], main[COVER_REGIMES][COVER_WIDTHS];
} CoverTables;

/* Solves all tables for a set of kernels, in which (mr = 1, nv = 1) must be. Arena-owned. */
CoverTables *cover_tables(Arena *arena, const TileKernel *tiles, int ntiles);

/* The steps of k at which the regimes' times are taken. */
extern const int cover_steps[COVER_REGIMES];

/* Nanoseconds of a tile over all k steps of a sum; k < 0: not known, as for the covers of long sums. */
double tile_time(const TileKernel *tile, int64_t k);

/* ---------------------------------------------------------------- the parts of it
 * `ilp`: NULL or without a usable solver leaves the work to dynamic programming. */

/* The covers of rows of one width and regime: first and main as in CoverTables; time[r]: nanoseconds of r rows, or
 * COVER_NONE; rate: of a row in the main kernel. reach 0: no kernel has this width. */
typedef struct CoverRows {
    unsigned char first[2 * COVER_HEIGHTS + 1];
    double time[2 * COVER_HEIGHTS + 1], rate;
    int reach, main;
} CoverRows;

/* Of the tiles that are nv wide, which are in ascending order of heights. */
void cover_rows(Ilp *ilp, const TileKernel *tiles, int ntiles, int nv, int regime, CoverRows *rows);

/* The first width for each number of vectors up to COVER_COLUMNS, for m rows, or COVER_ROWS for all numbers from there
 * on; widths[nv]: 1 <= nv < COVER_WIDTHS. */
void cover_columns(Ilp *ilp, const CoverRows *widths, int m, unsigned char *first);

/* Best covers of all lengths up to `length` < COVER_LENGTH by n items with different sides, in ascending order:
 * best[L] is the time, COVER_NONE when there is none, first[L] a side of it, or 0. Both have length + 1 elements. */
enum { COVER_LENGTH = 128 };
#define COVER_NONE 1e300
void cover_line(Ilp *ilp, const CoverItem *items, int n, int length, unsigned char *first, double *best);

/* The same by dynamic programming, for any length: the oracle of the tests, and the way out when the solver fails. */
void cover_line_dp(const CoverItem *items, int n, int length, unsigned char *first, double *best);

#endif
