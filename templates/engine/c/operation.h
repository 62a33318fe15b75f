/* SPDX-License-Identifier: GPL-3.0-or-later OR LicenseRef-mikgen-output */
/* An operation: what a stage of an operator hands to its family. */
#pragma once
#include "gather_form.h"
#include "problem.h"
#if MIK_TRACE
#include "trace.h"
#endif

#if MIK_F32_AHEAD
enum { MIK_F32_AHEAD_COLUMNS = 128 / (MIK_F32_UNIT * sizeof(mik_f32_panel)) }; /* of a panel prepacked: two cache lines */

/* The same of a B of so many columns: where half a panel would be left, it is one panel. (Zen 4, 196 x 48 x 144: 1.15 times as fast.) */
static inline int64_t mik_f32_ahead_columns(int64_t columns)
{
    const int alone = MIK_F32_UNIT == 1 && columns > MIK_F32_AHEAD_COLUMNS && 2 * columns <= 3 * MIK_F32_AHEAD_COLUMNS;
    return alone ? 3 * MIK_F32_AHEAD_COLUMNS / 2 : MIK_F32_AHEAD_COLUMNS;
}

/* All of p's B was prepacked. */
static inline void mik_f32_take_ahead(mik_problem *p)
{
    p->ahead_k = p->k;
    p->ahead_n = p->n;
    p->b_in_place = 1;
    p->b_k = mik_f32_ahead_columns(p->n) * MIK_F32_UNIT;
    p->b_n = 1;
}

#endif
#if MIK_F32_QUANTIZED
enum { MIK_F32_CODE_COLUMNS = 16, MIK_F32_CODE_STEPS = 8 }; /* codes come in panels of so many columns, so many steps at a time */

/* What groups of steps share: B is ((code - zero) * scale + offset) * factor, computed in this order. */
enum { MIK_F32_SCALE, MIK_F32_ZERO, MIK_F32_OFFSET, MIK_F32_FACTOR, MIK_F32_PER_GROUP };

/* What is done to a code before a row's element multiplies it: nothing; a zero point is subtracted that is an integer, or any number; it is
   scaled and an offset is added (codes of less than 8 bits begin at 0), perhaps after that. Scales without offsets, and factors, wait for the sum of a group. */
enum { MIK_F32_PLAIN, MIK_F32_WHOLE_ZEROS, MIK_F32_ZEROS, MIK_F32_OFFSETS, MIK_F32_ZEROS_OFFSETS };

/* Where those of a batch lie, and what they share: the first panel, and how many bytes the next one is further on. */
typedef struct {
    const unsigned char *codes, *shared[MIK_F32_PER_GROUP];
    int64_t codes_apart, shared_apart[MIK_F32_PER_GROUP];
} mik_f32_codes;

/* How a B of codes is packed. A unit of steps has, of less than 8 bits: the lowest four of a column's codes in a word, the first step
   lowest; for each further bit the panel's columns in two bytes, step by step. Else: the codes, step by step. */
typedef struct {
    int bits; /* of a code: 4, 5, 6, 8; 16: half or bf16 */
    int bf16;
    int least; /* what is packed is what a code has above that; 8 bits: -128 or 0, signed bytes or not */
    int kind; /* MIK_F32_PLAIN and so on */
    int shared[MIK_F32_PER_GROUP]; /* bytes of a scale, and so on: 1, an integer; 2, a half; 4; 0: there are none */
    int least_zero; /* of zero points that are bytes: -128 or 0, signed or not */
    int64_t group; /* steps that share one; 0: all */
    void (*place)(const void *s, int64_t batch, mik_f32_codes *at);
} mik_f32_quantized;

/* Numbers of kc steps and nc columns, as a panel of nr columns. */
typedef void mik_f32_fill_numbers(const void *s, int64_t batch, int64_t k0, int64_t kc, int64_t n0, int64_t nc, int64_t nr,
                                  mik_f32_panel *dst);

/* Bytes of a panel's codes for so many steps, and of what they share. */
static inline int64_t mik_f32_code_bytes(const mik_f32_quantized *q, int64_t steps)
{
    return mik_ceil_div(steps, MIK_F32_CODE_STEPS) * q->bits * (MIK_F32_CODE_COLUMNS * MIK_F32_CODE_STEPS / 8);
}

static inline int64_t mik_f32_shared_bytes(const mik_f32_quantized *q, int which, int64_t steps)
{
    return (q->group ? mik_ceil_div(steps, q->group) : 1) * q->shared[which] * MIK_F32_CODE_COLUMNS;
}

#endif
#if MIK_F32_FIXED_COVERS
/* The exact cover of an output of constant extents, solved ahead of time: bands of columns (or rows: rows_first), one
   beside the other, each of parts, one below (or beside) the other. at: for each band how many there are and its number of
   parts, for each part its kernel and how many there are. */
typedef struct {
    int rows_first, bands;
    const int *at;
} mik_f32_fixed_cover;

#endif

/* An operation as the stages describe it. a, b, c give addresses of a batch's first element (null: never in place);
   the rest is documented at the stage. */
typedef struct {
    const mik_f32_panel *(*a)(const void *s, int64_t batch);
    const mik_f32_panel *(*b)(const void *s, int64_t batch);
    mik_f32_acc *(*c)(const void *s, int64_t batch);
    void (*pack_a)(const void *s, int isa, int64_t batch, int64_t m0, int64_t mc, int64_t k0, int64_t kc, int64_t mr, mik_f32_panel *dst);
    void (*pack_b)(const void *s, int isa, int64_t batch, int64_t k0, int64_t kc, int64_t n0, int64_t nc, int64_t nr, mik_f32_panel *dst);
#if MIK_F32_BY_ROWS
    /* Rows of A one after the other, `pitch` apart; null where a_rows is never set. */
    void (*rows_a)(const void *s, int isa, int64_t batch, int64_t m0, int64_t mc, int64_t k0, int64_t kc, int64_t pitch,
                   mik_f32_panel *dst);
    /* The steps of such rows that are not all zeros, where zeros add nothing; 0: all of them count, as they do without this. */
    int (*live_a)(const void *s, int64_t batch, int64_t m0, int64_t mc, int64_t k0, int64_t kc, mik_live *live);
#endif
#if MIK_F32_JUMPS
    void (*gather_a)(const void *s, mik_gather *g); /* how A lies, where a_jumps is ever set; else null */
    int turned; /* the spec's rows are columns (turned.h): tiles are to jump */
#endif
    void (*epilogue)(const void *s, int isa, int64_t batch, int64_t m0, int64_t mc, int64_t n0, int64_t nc, mik_f32_acc *t, int64_t ldt);
#if MIK_F32_MORE_ISA
    void (*more)(const void *s, int isa, int64_t batch, int64_t m0, int64_t mc, int64_t n0, int64_t nc, const mik_f32_acc *t, int64_t ldt);
#else
    void (*more)(const void *s, int64_t batch, int64_t m0, int64_t mc, int64_t n0, int64_t nc, const mik_f32_acc *t, int64_t ldt);
#endif
#if MIK_F32_A_WORDS
    const mik_f32_panel *(*a_words)(const void *s, int64_t batch); /* A, whose elements lie as in panels, but without heads; null: not so */
#endif
#if MIK_F32_NARROWS
    uint16_t *(*narrow)(const void *s, int64_t batch); /* where sums go that are only rounded, to bf16 or half; null: not so */
#if MIK_F32_NARROWS == 3
    int narrow_half; /* to half */
#endif
#endif
    int kind, partial_in_c;
    int hook_a, hook_b; /* packing runs the spec's expression, not a routine over strides */
#if MIK_F32_FIXED_COVERS
    const mik_f32_fixed_cover *fixed_covers; /* by instruction set, in the order of mik_f32_choose's numbers; null: not solved */
#endif
#if MIK_F32_QUANTIZED
    const mik_f32_quantized *quantized; /* how B was prepacked; null: it was not, or not so */
#endif
#if MIK_TRACE
    const char *name, *stage; /* of the operator, and of what it is in it; */
    int64_t from_batch, from_row; /* where it begins there */
#endif
} mik_f32_operation;

/* Are the spec's rows its columns? */
static inline int mik_f32_is_turned(const mik_f32_operation *op)
{
#if MIK_F32_JUMPS
    return op->turned;
#else
    (void)op;
    return 0;
#endif
}

/* For explanations: the same product with B prepacked, or the array that might be, if it is said to be constant; the names of the
   operator that does so, and of the array. NULL where there is none. */
typedef struct {
    const mik_f32_operation *op;
    mik_problem p;
    const char *call, *array;
} mik_f32_ahead_call;

#if MIK_F32_WINOGRAD
/* What Winograd's algorithm is told of an operation: its gathered A as it is described, the first element of a batch, transformed filters of a
   batch or NULL, and the greatest tiles that are allowed: rows and columns of 2 outputs, or 4. */
typedef struct {
    const mik_gather *gather;
    int64_t (*base)(const void *s, int64_t batch);
    const mik_f32_panel *(*filters)(const void *s, int64_t batch);
    int most;
} mik_f32_winograd_stage;

#endif
