/* Exact cover of an output by register tiles instead of padding (DynaChain, section 3.2): columns by kernel widths
 * first, then rows by the heights of a width, sides adding up exactly, the sum of scores as large as possible.
 *
 * A kernel's score is (worst time per output * its outputs - its time): as every cover has the same outputs, the most
 * score is the least time. A part of a best cover is a best cover of its part, so a table holds, for each length, one
 * side of the best cover; what remains is looked up again. */
#ifndef MIKGEN_PLAN_COVER_H
#define MIKGEN_PLAN_COVER_H

#include "ir/arena.h"

enum {
    COVER_REGIMES = 2,  /* [0] short sums, [1] long ones: the time of a tile is not proportional to its steps */
    COVER_STEPS = 64,   /* sums of fewer steps are short */
    COVER_ROWS = 16,    /* a class of its own for each number of rows below; the last class is all others */
    COVER_WIDTHS = 17,  /* widths are 1 .. 16 vectors */
    COVER_COLUMNS = 32, /* vectors of columns that the tables cover */
    COVER_HEIGHTS = 32, /* greatest height of a kernel */
};

/* columns[regime][rows][L]: the first width, in vectors, for L vectors of columns; rows are min(m, COVER_ROWS).
 * heights[regime][nv][r]: the first height for r rows of width nv, for r up to reach[nv], twice the tallest; 0: no
 * kernel. main[regime][nv]: the height of the best rate, for all rows before those last ones; 0: no kernel. */
typedef struct CoverTables {
    unsigned char columns[COVER_REGIMES][COVER_ROWS + 1][COVER_COLUMNS + 1];
    unsigned char heights[COVER_REGIMES][COVER_WIDTHS][2 * COVER_HEIGHTS + 1];
    unsigned char reach[COVER_WIDTHS], main[COVER_REGIMES][COVER_WIDTHS];
} CoverTables;

struct TileKernel;

/* Solves all tables for a set of kernels, in which (mr = 1, nv = 1) must be. Arena-owned. */
CoverTables *cover_tables(Arena *arena, const struct TileKernel *tiles, int ntiles);

#endif
