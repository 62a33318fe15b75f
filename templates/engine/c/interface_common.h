/* SPDX-License-Identifier: GPL-3.0-or-later OR LicenseRef-mikgen-output */
/* What operators call whatever their families are; in an engine that several files share. */
#pragma once
#include "gather_form.h"

/* The instruction set that a wish gives; 0: none. */
MIK_SHARED int mik_isa(int wish, int needs);
/* What can be decided about a gathered operand for the extents at hand. */
MIK_SHARED void mik_simplify_gather(mik_gather *g);
MIK_SHARED void mik_place_gather(const mik_gather *g, int64_t *line, int64_t *step, int *in_place, int *rows);
MIK_SHARED int mik_gathers_rows(const mik_gather *g);
MIK_SHARED void mik_jumps_of(const mik_gather *g, mik_jump_form *form);
/* Some of its rows, as they are in memory. */
MIK_SHARED void mik_gather_lines(const mik_gather *g, int64_t size, int64_t base, int64_t line, int64_t lines, int64_t k0, int64_t kc,
                                 int64_t pitch, void *out);
/* Which steps of a block are not all zeros in them; 0: all of them. */
MIK_SHARED int mik_gather_live(const mik_gather *g, int64_t line, int64_t lines, int64_t k0, int64_t kc, mik_live *live);
/* Sums as 16-bit floats. */
MIK_SHARED void mik_store_half(int isa, const float *t, int64_t ldt, int64_t rows, int64_t cols, uint16_t *c, int64_t c_m, int64_t c_n);
MIK_SHARED void mik_store_bf16(int isa, const float *t, int64_t ldt, int64_t rows, int64_t cols, uint16_t *c, int64_t c_m, int64_t c_n);
