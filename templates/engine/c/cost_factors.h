/* SPDX-License-Identifier: GPL-3.0-or-later OR LicenseRef-mikgen-output */
/*
 * What the cost model's terms are multiplied by: fitted with mikgen's bench/oracle.sh, which runs every plan for a sample of
 * shapes and compares what each took with what it was expected to take, on a Zen 5 (those of few steps and of small products: on a
 * Zen 4). Pure numbers, but for those whose unit is said; what an instruction set's own numbers are, its table says.
 */
#pragma once
#include "base.h"

/* Memory. What of an operand exceeds so many shares of the last cache comes from memory, all of it from 2 shares more on. */
#define MIK_CACHE_SHARES  1.5f
#define MIK_READ_FIRST    2                 /* what is stored is read first, unless it is stored non-temporally */
#define MIK_READ_MANY     2.1f               /* and in kernels of many rows, which are more streams than processors follow well */
#define MIK_TILE_STORES   60               /* nanoseconds that a tile waits for lines of outputs that no cache holds */
#define MIK_NARROW_STORES 0.8f           /* of the writing, for the rest of lines, over the square of a tile's vectors */
/* B in place. The first tile of a strip fetches it. */
#define MIK_FETCH_LEAST    0.5f             /* of a far vector, however little of the last cache B takes */
#define MIK_FETCH_ALONG    0.6f             /* of it is saved where rows are read in their order, by the square of the part that is */
#define MIK_FETCH_WAIT     3.5f              /* far vectors, more than arithmetic hides: */
#define MIK_FETCH_HIDDEN   0.8f            /* of the time of the tile's multiply-adds */
#define MIK_COLD_TWICE     1.8f              /* the time of a line from memory, less the square of the part that is read in its order */
#define MIK_COLD_HIDDEN    0.35f            /* of the time of all rows' multiply-adds */
#define MIK_AGAIN          0.05f /* of a far vector, for later tiles; once more by the share of the last cache that B takes */
#define MIK_AGAIN_CONFLICT 3 /* far vectors over the strip's, where rows compete for few cache sets */
#define MIK_AGAIN_NEAR     0.2f /* of a far vector, for strips that exceed the first cache, */
#define MIK_FIRST_CACHE    24576 /* bytes of it for a strip */
/* Of the multiply-adds' time: B in place has to save more where many tiles read it one after the other, from whole pages apart or from
   memory. Where the third cache is further away than that of the processor these numbers are from, tiles wait for it that long.
   (Sapphire Rapids, 512x11008x4096: 109 GFLOP/s, packed 162; 256x4096x4096: 131 and 159; of two pages apart, 256x2048x2048: 144, 149.) */
#define MIK_DOUBT       0.14f
#define MIK_DOUBT_TILES 12
#define MIK_DOUBT_NEAR  4 /* times what the near caches hold, */
#define MIK_DOUBT_FAR   4 /* times what the last one does */
/* Packing, in the time of an element's. */
#define MIK_PACK_ROWS      1.5f /* A, transposed */
#define MIK_PACK_COLUMNS   2.4f /* B, row by row. (This one, MIK_AGAIN and MIK_DOUBT_FAR: Zen 4, 126 shapes whose B is in the last cache.) */
#define MIK_PACK_COLD      3 /* times B's bytes from memory: it is fetched, stored, and where A and the sums would be */
#define MIK_PACK_DISPLACED 0.45f /* of a far vector for each tile, where outputs on their way to memory displace B */
/* A in place, by tiles that jump. */
#define MIK_JUMP_COPY   1 /* of an element's packing, for rows that are copied instead, */
#define MIK_JUMP_RUN    1 /* nanoseconds more of a row's run of neighbours, where these are packed, */
#define MIK_JUMP_PACKED 4 /* one of so many at most, */
#define MIK_JUMP_TILE   10 /* nanoseconds of a tile more, */
#define MIK_JUMP_JUMP   3 /* and of a jump */
/* A in place. */
#define MIK_HALF_PASS   0.5f /* of a pass over A beside those of whole strips */
#define MIK_COLD_A_TALL 0.2f /* of A's bytes from memory: by tall blocks, */
#define MIK_COLD_A_LONG 0.1f /* in rows of MIK_LONG_ROW steps and more, which are streams, */
#define MIK_COLD_A      0.7f /* in others */
#define MIK_LONG_ROW    4096
/* By tall blocks, in tiles of more rows than processors follow as streams. (Zen 4, 8192 x 4000 by 16 columns, 24 rows at a time and 10: f32
   13.9 and 12.0 ms, bf16 7.1 and 5.7.) */
#define MIK_COLD_A_HIGH  0.8f
#define MIK_MANY_STREAMS 16
#define MIK_TINY_OPERAND 4096 /* elements of an operand that always is near */
/* Inner products. */
#define MIK_DOTS_COLD         0.8f /* of A's bytes from memory */
#define MIK_DOTS_START        20 /* nanoseconds, */
#define MIK_DOTS_START_PACKED 50 /* or with packing */
/* Sweeps: tiles compute while B comes; the longer of the two counts, and of the other a part. */
#define MIK_SWEEP_OTHER        0.3f
#define MIK_SWEEP_LOADED       0.3f /* of the tiles' time is hidden where they are many and B is from memory */
#define MIK_SWEEP_LOW          0.5f /* more over a tile's rows: low ones fetch chunks more often, */
#define MIK_SWEEP_LOW_CONFLICT 1.5f /* where their rows compete for cache sets */
#define MIK_SWEEP_LINE         0.9f /* of B's time from memory, */
#define MIK_SWEEP_WIDE         0.05f /* more of it for each vector of a strip, */
#define MIK_SWEEP_LINE_1       1.3f /* of one row, which does not prefetch, */
#define MIK_SWEEP_LINE_2       2.6f /* of two, */
#define MIK_SWEEP_WIDE_2       0.02f /* less of it for each vector */
#define MIK_BY_ROWS            0.9f /* of the tiles' time, row after row of B */
/* Sums of few steps, in the least time that their outputs take. */
#define MIK_SHALLOW_STORE 0.6f
#define MIK_SHALLOW_STEP  0.0145f /* for each step */
#if MIK_F32_WINOGRAD
/* Convolutions by Winograd's algorithm. (Zen 3.) */
#define MIK_WINOGRAD_FAR     1.6f /* of the time to read filters that exceed the second cache */
#define MIK_WINOGRAD_OTHER   0.3f /* of the shorter of that and the products' time */
#define MIK_WINOGRAD_MOVE    1.3f /* of an element's packing, for one that is transformed */
#define MIK_WINOGRAD_FILTERS 3.3f /* likewise for one of the filters, */
#define MIK_WINOGRAD_LEAST   0.4f /* but so many nanoseconds at least */
#endif
/* The search. */
#define MIK_WORTH_SEARCHING 0.03f /* of the tiles' time that more regions could save at most */
#define MIK_WORTH_CUTTING   0.99f /* of the time of one region: more regions must save the rest */
