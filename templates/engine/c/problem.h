/* SPDX-License-Identifier: GPL-3.0-or-later OR LicenseRef-mikgen-output */
/* A contraction as calls see it: folded extents and strides, what happens to sums, what families want of the processor. */
#pragma once
#include "base.h"

#if MIK_WITH_ROWS
/* A gathered operand that tiles can read where it is (jump_tiles.h): the lines of the innermost loop, `line` of them, lie `apart` from
   each other. Along k, `steps` steps at a time lie `move` apart; between these a tile jumps so many times. ends: bit 0, the first tile of
   these lines cannot be read so, bit 1, the last one. line 0: the operand has not this form. */
typedef struct {
    int64_t line, apart, steps, move;
    int jumps, ends;
} mik_jump_form;

#endif
/* One contraction, folded to batch x (m x n x k): out(b, m, n) from the sum over k of A(b, m, k) * B(b, k, n).
   Strides count elements; those of an operand are valid when it is a plain load with one stride per folded dimension;
   in place: also of the accumulator's type, so that kernels can read it where it lies. */
typedef struct {
    int64_t batch, m, n, k;
    int64_t a_m, a_k, b_k, b_n, c_m, c_n;
    int a_in_place, b_in_place, c_direct;
#if MIK_WITH_ROWS
    int a_rows;                        /* the operation packs A row by row, since rows are contiguous in parts; or MIK_ROWS_OF_ZEROS */
    mik_jump_form a_jumps;
#endif
#if MIK_WITH_AHEAD
    int64_t ahead_k, ahead_n;          /* B was prepacked, so many steps and columns; 0: it was not */
#endif
} mik_problem;

/* For explanations: how many times a call computes a product; -1: more than its integers decides that. varies: its extents change on the
   way, from those that are told. */
typedef struct {
    double times;
    int varies;
} mik_repeats;

#if MIK_WITH_ROWS
enum { MIK_LIVE_ROWS = 224, MIK_LIVE_GROUPS = 12, MIK_ROWS_OF_ZEROS = 2 }; /* few rows with many zeros, which tiles leave out */

/* Which steps of a block's rows are more than zeros, by groups of steps: the first group has `first` of the block's steps, the others
   `each`, the last one what is left. Bit g of a row is set where group g counts. */
typedef struct {
    int64_t first, each;
    int groups;
    int64_t run, at;       /* rows of an image, which begin and end alike, and where in one the block begins; 0: there are none */
    float dead, lasting;   /* the parts that are zeros: of all, and of what is alike in a whole run */
    uint16_t rows[MIK_LIVE_ROWS];
} mik_live;

#endif
enum { MIK_STORE, MIK_ACCUMULATE, MIK_GENERAL };                 /* what happens to a finished sum */
enum {                                                           /* bits of options.plan: forced decisions, for tests */
       MIK_KEEP_A = 1,
       MIK_PACK_A = 2,
       MIK_KEEP_B = 4,
       MIK_PACK_B = 8,
       MIK_TALL = 0x10,                                             /* k in one block, however small A is */
       MIK_COLD = 0x20,                                             /* B comes from memory, however small it is */
       MIK_TILES = 0x40,
       MIK_DOTS = 0x80,
       MIK_SMALL_BLOCKS = 0x100,
       MIK_ALL_THREADS = 0x200,                                     /* however small the work is */
       MIK_SPLIT = 0x400,                                           /* k, among the threads */
       MIK_STREAM = 0x800,                                          /* non-temporal stores, however small the output is */
       MIK_PATTERN = 0xf000,                                        /* the number of a pattern, I to III, 10: sweeps, 11: few steps */
       MIK_VARIANT = 0xff0000                                       /* the index of a variant plus 1 */
};
