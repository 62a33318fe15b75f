/* An operation: what a stage of an operator hands to its family. */
#pragma once
#include "problem.h"

#if MIK_F32_AHEAD
enum { MIK_F32_AHEAD_COLUMNS = 128 / sizeof(mik_f32_panel) };    /* of a panel that is packed ahead of calls: two cache lines */

/* All of p's B was packed ahead. */
static inline void mik_f32_take_ahead(mik_problem *p)
{
    p->ahead_k = p->k;
    p->ahead_n = p->n;
    p->b_in_place = 1;
    p->b_k = MIK_F32_AHEAD_COLUMNS;
    p->b_n = 1;
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
#endif
    void (*epilogue)(const void *s, int isa, int64_t batch, int64_t m0, int64_t mc, int64_t n0, int64_t nc, mik_f32_acc *t, int64_t ldt);
#if MIK_F32_MORE_ISA
    void (*more)(const void *s, int isa, int64_t batch, int64_t m0, int64_t mc, int64_t n0, int64_t nc, const mik_f32_acc *t, int64_t ldt);
#else
    void (*more)(const void *s, int64_t batch, int64_t m0, int64_t mc, int64_t n0, int64_t nc, const mik_f32_acc *t, int64_t ldt);
#endif
    int kind, partial_in_c;
    int hook_a, hook_b;                      /* packing runs the spec's expression, not a routine over strides */
#if MIK_F32_FIXED_COVERS
    const mik_f32_fixed_cover *fixed_covers;     /* by instruction set, in the order of mik_f32_choose's numbers; null: not solved */
#endif
} mik_f32_operation;
