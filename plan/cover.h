/* Exact cover of an output by register tiles instead of padding (DynaChain, section 3.2): columns by kernel widths
 * first, then rows by the heights of a width, sides adding up exactly, the sum of scores as large as possible. Each
 * line is an integer program (plan/ilp.h) that GLPK solves when the file is generated.
 *
 * A part of a best cover is a best cover of its part. So one program determines the best covers of many lengths, and a
 * table holds, for each length, one side of the best cover; what remains is looked up again. By the same principle the
 * solved line is verified: no side of any length may leave a rest with which it would beat what the program found. A
 * line that fails, or whose solver does, is solved by dynamic programming instead. Among equally good covers the one
 * with the largest side counts, so that the tables do not depend on the solver's order. */
#ifndef MIKGEN_PLAN_COVER_H
#define MIKGEN_PLAN_COVER_H

#include "plan/ilp.h"

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
 * combination of heights has r rows. main[regime][nv]: the height of the best rate, for all rows before those last
 * ones; 0: no kernel. Columns of a class take only widths whose heights cover all its numbers of rows. */
typedef struct CoverTables {
    unsigned char columns[COVER_REGIMES][COVER_ROWS + 1][COVER_COLUMNS + 1];
    unsigned char heights[COVER_REGIMES][COVER_WIDTHS][2 * COVER_HEIGHTS + 1];
    unsigned char reach[COVER_WIDTHS], main[COVER_REGIMES][COVER_WIDTHS];
} CoverTables;

struct TileKernel;

/* Solves all tables for a set of kernels, in which (mr = 1, nv = 1) must be. Arena-owned. */
CoverTables *cover_tables(Arena *arena, const struct TileKernel *tiles, int ntiles);

/* The steps of k at which the regimes' times are taken. */
extern const int cover_steps[COVER_REGIMES];

/* Best covers of all lengths up to `length` < COVER_LENGTH by n items with different sides, in ascending order:
 * best[L] is the time, COVER_NONE when there is none, first[L] a side of it, or 0. Both have length + 1 elements. By
 * integer programs; `ilp` without a usable solver leaves it to cover_line_dp. */
enum { COVER_LENGTH = 128 };
#define COVER_NONE 1e300
void cover_line(Ilp *ilp, const CoverItem *items, int n, int length, unsigned char *first, double *best);

/* The same by dynamic programming: the oracle of the tests, and the way out when the solver fails. */
void cover_line_dp(const CoverItem *items, int n, int length, unsigned char *first, double *best);

#endif
