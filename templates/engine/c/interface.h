/* SPDX-License-Identifier: GPL-3.0-or-later OR LicenseRef-mikgen-output */
/* What operators call of a family; in an engine that several files share. Written for f32. */
#pragma once
#include "block_rows.h"
#include "gather_form.h"
#include "operation.h"
#include "ragged_batch.h"

/* Runs the operation that stage `s` describes; MIKGEN_OK or MIKGEN_UNSUPPORTED. */
MIK_SHARED int mik_f32_run(const mik_f32_operation *op, const void *s, const mik_problem *p, const mikgen_options *opt);
/* The same for some rows alone; see block_rows.h. */
MIK_SHARED int mik_f32_some_rows(const mik_f32_operation *op, const void *s, const mik_problem *p, int64_t each, int folded, int64_t count,
                                 int64_t columns, int64_t steps, mik_rows *r, const mikgen_options *opt);
/* Several of them, each of its own extents; see ragged_batch.h. */
MIK_SHARED int mik_f32_run_ragged(const mik_f32_operation *op, const mik_ragged *batch, void *args, const mikgen_options *opt);
/* Bytes of workspace with which that allocates nothing. */
MIK_SHARED size_t mik_f32_workspace(const mik_f32_operation *op, const mik_problem *p, const mikgen_options *opt);
/* What it would do, as text; as snprintf. */
MIK_SHARED int mik_f32_explain(const mik_f32_operation *op, const mik_problem *p, const mikgen_options *opt,
                               const mik_f32_ahead_call *ahead, const mik_repeats *repeats, char *buf, size_t size);
#if MIK_TRACE
/* Tells of a product that has been computed as a whole. */
MIK_SHARED void mik_f32_tell_at_once(const mik_f32_operation *op, const mikgen_options *opt, const mik_problem *p, uint64_t begin);
#endif
#if MIK_F32_SWEEPS
/* 1 if the product was tiny, and has been computed. */
MIK_SHARED_INLINE int mik_f32_at_once(const mik_f32_operation *op, const void *s, const mik_problem *p, int threads);
#endif
#if MIK_F32_AHEAD && MIK_F32_UNIT == 1
/* Elements of a B of so many steps and columns that is prepacked; packing that of a batch. */
MIK_SHARED int64_t mik_f32_ahead_size(int64_t steps, int64_t columns);
MIK_SHARED void mik_f32_ahead_pack(const mik_f32_operation *op, const void *s, const mik_problem *p, int64_t batch, mik_f32_panel *dst);
#endif
#if MIK_F32_WINOGRAD
/* Runs the operation by Winograd's algorithm where that is faster, 1, or does nothing; bytes of workspace for that, 0 where it does nothing;
   what it would do, as text. See winograd.h. */
MIK_SHARED int mik_f32_winograd(const mik_f32_operation *op, const void *s, const mik_problem *p, const mik_f32_winograd_stage *stage,
                                const mikgen_options *opt);
MIK_SHARED size_t mik_f32_winograd_workspace(const mik_f32_operation *op, const mik_problem *p, const mik_f32_winograd_stage *stage,
                                             const mikgen_options *opt);
MIK_SHARED int mik_f32_winograd_explain(const mik_f32_operation *op, const mik_problem *p, const mik_f32_winograd_stage *stage,
                                        const mikgen_options *opt, char *buf, size_t size);
#if MIK_F32_AHEAD
/* Channels of filters that are prepacked transformed, the elements of a channel, and transforming a batch's B that is prepacked. */
MIK_SHARED int64_t mik_f32_winograd_channels(const mik_gather *g, const mik_problem *p);
MIK_SHARED int64_t mik_f32_winograd_factors(int64_t columns, int m);
MIK_SHARED void mik_f32_winograd_pack(const mik_gather *g, const mik_problem *p, int most, const mik_f32_panel *b, mik_f32_panel *u);
#endif
#endif
#if MIK_F32_EXCHANGES
/* Convolutions whose roles are exchanged: is that worth filters of their own, packing these, exchanging a problem's, sums the other way round.
   See turned.h. */
MIK_SHARED int mik_f32_turns(const mik_gather *filter, int inner);
MIK_SHARED void mik_f32_pack_turned(const mik_gather *filter, int64_t m, int64_t k, mik_f32_panel *dst);
MIK_SHARED int mik_f32_turn_problem(const mik_gather *image, mik_problem *p);
MIK_SHARED void mik_f32_turn_sums(const mik_f32_acc *t, int64_t ldt, int64_t rows, int64_t cols, mik_f32_acc *piece);
#endif
#if MIK_F32_WORDS
/* Packing a batch's B in words, and panels of the family's from these; see pack_words.h. */
MIK_SHARED void mik_f32_pack_words(const mik_f32_operation *op, const void *s, const mik_problem *p, int64_t batch, int a_plus, int b_plus,
                                   uint32_t *dst);
MIK_SHARED void mik_f32_unpack_words(int isa, const uint32_t *b, int64_t steps, int64_t columns, int plus, int64_t k0, int64_t kc,
                                     int64_t n0, int64_t nc, int64_t nr, mik_f32_panel *dst);
#endif
#if MIK_F32_ROWS_AHEAD && MIK_F32_UNIT == 1
/* Packing a batch's A, row by row; see pack_ahead_rows.h. */
MIK_SHARED void mik_f32_pack_ahead_a(const mik_f32_operation *op, const void *s, const mik_problem *p, int64_t batch, mik_f32_panel *dst);
#endif
#if MIK_F32_ROW_WORDS
/* The same in words, how far its rows are apart, and rows and panels of the family's from these; see row_words.h. */
MIK_SHARED int64_t mik_f32_row_words(int64_t steps);
MIK_SHARED void mik_f32_pack_row_words(const mik_f32_operation *op, const void *s, const mik_problem *p, int64_t batch, int a_plus,
                                       int b_plus, uint32_t *dst);
MIK_SHARED void mik_f32_unpack_row_words(int isa, const uint32_t *a, int64_t steps, int plus, int64_t m0, int64_t mc, int64_t k0,
                                         int64_t kc, int64_t pitch, mik_f32_panel *dst);
MIK_SHARED void mik_f32_unpack_row_panels(int isa, const uint32_t *a, int64_t steps, int plus, int64_t m0, int64_t mc, int64_t k0,
                                          int64_t kc, int64_t mr, mik_f32_panel *dst);
#endif
#if MIK_F32_QUANTIZED
/* Packing the codes of a batch's B, and their scales or offsets, which `fill` gives as numbers, as pack_b. */
MIK_SHARED void mik_f32_pack_codes(const mik_f32_quantized *form, mik_f32_fill_numbers *fill, const void *s, const mik_problem *p,
                                   int64_t batch, unsigned char *dst);
MIK_SHARED void mik_f32_pack_shared(const mik_f32_quantized *form, int which, mik_f32_fill_numbers *fill, const void *s,
                                    const mik_problem *p, int64_t batch, unsigned char *dst);
#endif
#if MIK_F32_GATHERS
/* Panels of `size` lines, and lines `pitch` apart, of a gathered operand. */
MIK_SHARED void mik_f32_gather_panels(const mik_gather *g, int64_t base, int64_t line, int64_t lines, int64_t k0, int64_t kc, int64_t size,
                                      int tight, mik_f32_panel *dst);
MIK_SHARED void mik_f32_gather_rows(const mik_gather *g, int64_t base, int64_t line, int64_t lines, int64_t k0, int64_t kc, int64_t pitch,
                                    mik_f32_panel *dst);
#endif
