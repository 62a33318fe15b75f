/* SPDX-License-Identifier: GPL-3.0-or-later OR LicenseRef-mikgen-output */
/* The words in which a family's kernels and tables are written. */
#pragma once
#include "operation.h"
#include "runtime.h"

#if MIK_F32_BY_ROWS
/* Steps one behind the other: without a tile's first row, of all rows, without the last one. Tiles that are not too low can do that. */
typedef struct {
    uint16_t steps[3];
} mik_f32_pass;

#if MIK_F32_JUMPS
/* How far the steps behind a pass are from where it ends: elements of A, rows of B. */
typedef struct {
    int64_t a, b;
} mik_f32_jump;

#endif
#define MIK_F32_PASSES(mr, nv) ((mr) >= 3 && (nv) > 1 && (mr) * (nv) >= 8)

#endif
/* The work of one kernel call: c(i, j) = sum over k of a(i, k) * b(k, j), or += with add. Strides count elements of panels, k
   MIK_F32_UNIT of them each; cols is the number of columns (a kernel's last vector may be partial). Dot kernels read
   b_n and c_n instead of a_k, b_k and cols. Step k of a tile kernel prefetches the lines at prefetch + k * prefetch_k. */
typedef struct {
    const mik_f32_panel *a, *b;
    mik_f32_acc *c;
    int64_t k, a_m, a_k, b_k, b_n, c_m, c_n;
    int cols, add;
    const mik_f32_panel *prefetch;
    int64_t prefetch_k;
#if MIK_F32_FITTED
    struct {
        int prefetch_distance;                     /* of the instruction set's numbers, for mik_f32_at */
    } fitted;
#endif
#if MIK_F32_BY_ROWS
    const mik_f32_pass *passes;        /* of a kernel that has any: so many make up the steps, unless there are none */
    int count;
#endif
#if MIK_F32_JUMPS
    const mik_f32_jump *jumps; /* behind each, unless NULL */
#endif
#if MIK_F32_NARROWS
    uint16_t *narrow;          /* unless NULL, where the sums go instead of c, rounded to 16 bits; rows are narrow_m apart */
    int64_t narrow_m;
#if MIK_F32_NARROWS == 3
    int narrow_half;           /* to half, else to bf16 */
#endif
#endif
#if MIK_F32_SWEEPS
    const mik_f32_panel *next; /* unless NULL, what the coming `prefetches` tiles prefetch instead: next_k elements at each step */
    int64_t next_k, prefetches;
#endif
#if MIK_F32_HEAD
    const mik_f32_panel *heads; /* of the columns; b is behind them */
    const mik_f32_panel *head; /* of the first row of A; those of the other rows are pitch apart, or there is one for all (0) */
    int64_t pitch;
#endif
} mik_f32_tile;

typedef void mik_f32_kernel(const mik_f32_tile *);
#if MIK_F32_SWEEPS
typedef void mik_f32_shallow_kernel(const mik_f32_tile *, int64_t rows, int64_t cols);
/* One row by `count` columns, or `count` rows by a vector of columns or less. */
typedef void mik_f32_line_kernel(const mik_f32_tile *, int64_t count);
#endif

/* A kernel of mr rows by nv vectors; g[i]: nanoseconds of a call over knots[i] steps of k. */
typedef struct {
    mik_f32_kernel *run;
    int mr, nv;
    float g[MIK_F32_KNOTS];
} mik_f32_variant;

/* Solved covers. columns[rows - 1][n]: the first width for n vectors of columns (rows: at most MIK_F32_COVER_ROWS);
   heights[nv][r]: the first kernel for r rows; main[nv]: the kernel of the best rate. */
typedef struct {
    const unsigned char (*columns)[MIK_F32_COVER_COLUMNS + 1];
    const unsigned char *heights[17];
    unsigned char main[17];
} mik_f32_cover;

/* What moving data costs, in nanoseconds: an element packed row by row, transposed, fetched by the operation itself, by a stride
   for dot kernels; a vector of B in place per pass when B exceeds near_bytes (far), also when its rows lie a multiple of conflict_bytes
   apart (conflict); an element of A likewise; a byte from memory for one core, for one of many; the start of a task.
   Then sizes: of blocks in the second and third cache, steps per block, columns for which dot kernels are considered; sums of at
   most low_steps go through low_rows rows at a time. */
typedef struct {
    float pack, gather, convert, column, far, conflict, far_a, conflict_a, read, read_all, task;
    int near_bytes, conflict_bytes, l2_bytes, l3_bytes, kc, dot_columns, low_steps, low_rows;
} mik_f32_move;

#if MIK_F32_QUANTIZED
/* Some rows by a panel of codes: c(i, j) = the sum over k steps, a multiple of MIK_F32_CODE_STEPS, of
   a(i, k) * B(k, j), all columns of the panel. */
typedef struct {
    const mik_f32_quantized *form;
    const unsigned char *codes, *shared[MIK_F32_PER_GROUP]; /* of the panel */
    const mik_f32_acc *a;
    int64_t a_m, a_k, k;
    mik_f32_acc *c;
    int64_t c_m;
} mik_f32_few;

typedef void mik_f32_codes_kernel(const mik_f32_few *t, int64_t rows);
/* kc steps from k0 of B for vector v of a panel's columns, which `at` says the place of, go to dst, rows `pitch` apart. */
typedef void mik_f32_unpack_kernel(const mik_f32_quantized *form, const mik_f32_codes *at, int v, int64_t k0, int64_t kc,
                                   mik_f32_panel *dst, int64_t pitch);

#endif
#if MIK_F32_FITTED
/* Numbers that were fitted to a machine, where they are others than the usual ones. Rows of B are prefetched `prefetch_distance` steps ahead, the next
   strip of B by strips of prefetch_panel tiles, lines of outputs by sums of prefetch_near steps, or prefetch_far where outputs are far; B is packed
   `band` rows of band_columns columns at a time, and if it cannot save `doubt` of the multiply-adds' time in place, where tiles wait `again`
   nanoseconds for a line that the nearest cache has lost; at most sweep_rows rows are swept, sweep_low
   or sweep_high steps of B at a time; one row of A goes along rows of B up to by_rows times near_bytes; small_a and small_b are bytes of
   products that are run at once; `shallow` times as many outputs as steps are for shallow kernels; up to stream_steps steps outputs are
   stored non-temporally. */
typedef struct {
    int prefetch_distance, prefetch_panel, prefetch_near, prefetch_far, band, band_columns, sweep_rows, sweep_low, sweep_high, by_rows,
        small_a, small_b, shallow, stream_steps;
    float doubt, again;
} mik_f32_fitted;

#endif
#if MIK_F32_WINOGRAD
/* Of one tile of Winograd's the products, `columns` of them at sums[i * plane], and where rows x cols outputs go. */
typedef struct {
    const mik_f32_acc *sums;
    int64_t plane;
    int columns, rows, cols, add;
    mik_f32_acc *c;
    int64_t down, right;
} mik_f32_winograd_tile;

/* Filters that are transformed: elements between their rows, their columns, and channels; columns are neighbours. */
typedef struct {
    const mik_f32_panel *b;
    int64_t row, column, channel, channels;
    int columns;
} mik_f32_winograd_source;

/* The transforms of pixels, outputs and filters, for one size of tiles. */
typedef struct {
    void (*image)(const mik_f32_panel *const *pixels, int64_t channels, int64_t ahead, mik_f32_panel *v, int64_t plane);
    void (*outputs)(const mik_f32_winograd_tile *t);
    void (*filter)(const mik_f32_winograd_source *b, mik_f32_panel *u);
} mik_f32_winograd_kernels;

#endif
/* What one instruction set offers. reach[nv]: the rows that heights[nv] covers, 0 where no kernel is nv vectors wide.
   cover[0] is for short sums, cover[1] for long ones, cover[2] for long ones with rows of A in few sets of a cache.
   dots[4 * (rows - 1) + cols - 1] are the dot kernels, dot_rows[cols - 1] their greatest heights.
   shallow[k - 1] sums k <= shallow_steps steps; slim[k - 1] k <= slim_steps of them, over at most a vector of columns. */
typedef struct {
    const char *name;
    int level, lanes, count, widest; /* level: as options.isa counts */
    const mik_f32_variant *variants;
    unsigned char reach[17];
    mik_f32_cover cover[3];
    mik_f32_kernel *const *dots;
    signed char dot_rows[4];
#if MIK_F32_SWEEPS
    mik_f32_shallow_kernel *const *shallow, *const *slim;
    int shallow_steps, slim_steps;
    mik_f32_line_kernel *row; /* one row of A by row_columns columns at most, a vector at least */
    mik_f32_line_kernel *long_row; /* by more, in whole vectors */
    int row_columns;
    mik_f32_line_kernel *column; /* any number of rows by fewer columns than a vector has */
#if MIK_F32_AHEAD
    mik_f32_line_kernel *panels_of_b; /* a few rows by so many whole panels of a B prepacked; NULL: there is none */
    int panels;
#endif
#if MIK_F32_QUANTIZED
    mik_f32_codes_kernel *codes; /* a few rows by a panel of codes */
    mik_f32_unpack_kernel *unpack;
#endif
#endif
#if MIK_F32_WINOGRAD
    const mik_f32_winograd_kernels *winograd; /* for 2 x 2 outputs, and 4 x 4 */
#endif
#if MIK_F32_NARROWS
    int narrows; /* tile kernels store sums as 16-bit floats, if they are asked to */
#endif
    float dot_step, dot_tile, dot_sum;
    mik_f32_move move;
#if MIK_F32_FITTED
    mik_f32_fitted fitted;
#endif
} mik_f32_isa;

/* Where a tile kernel finds B: element (0, 0), and how far its rows are apart. It prefetches each eight steps early. */
static inline void mik_f32_at(mik_f32_tile *t, const mik_f32_panel *b, int64_t b_k)
{
    t->b = b;
    t->b_k = t->prefetch_k = b_k;
    t->prefetch = b + MIK_F32_FIT(t, prefetch_distance, 8) * b_k;
}

#if MIK_F32_HEAD
/* The same for a packed strip, which begins with its heads. */
static inline void mik_f32_at_heads(mik_f32_tile *t, const mik_f32_panel *b, int64_t b_k)
{
    mik_f32_at(t, b + b_k, b_k);
    t->heads = b;
}

#endif
/* One result of a dot kernel. */
static inline void mik_f32_out(const mik_f32_tile *t, int64_t i, int64_t j, mik_f32_acc sum)
{
    mik_f32_acc *c = t->c + i * t->c_m + j * t->c_n;
    *c = t->add ? *c + sum : sum;
}
