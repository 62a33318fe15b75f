/* SPDX-License-Identifier: GPL-3.0-or-later OR LicenseRef-mikgen-output */
/*
 * The form of a B that is prepacked for products of narrow types: words of 32 bits, each of four bytes or two bf16 that follow
 * one another along k. Panels of two cache lines a row, one behind the other, the last one of as many lines as it needs: a row of what dot
 * products want of whole columns, their heads, then a row of words for each four or two steps.
 */
#pragma once
#include "base.h"

enum { MIK_WORD_COLUMNS = 32, MIK_WORD_LINE = 16 }; /* of a panel; of a cache line */

/* Words of a row of the panel that has column n, of so many columns. */
static inline int64_t mik_word_pitch(int64_t columns, int64_t n)
{
    const int64_t left = columns - n / MIK_WORD_COLUMNS * MIK_WORD_COLUMNS;
    return left < MIK_WORD_COLUMNS ? mik_round_up(left, MIK_WORD_LINE) : MIK_WORD_COLUMNS;
}

/* Rows of a panel of so many steps, `in_word` of them in a word. */
static inline int64_t mik_word_rows(int64_t steps, int in_word) { return 1 + mik_ceil_div(steps, in_word); }

/* Words of one batch's B. */
static inline int64_t mik_words_size(int64_t rows, int64_t columns) { return rows * mik_round_up(columns, MIK_WORD_LINE); }

/* Where row number `row` of column n is; the next one is *pitch words further on. */
static inline int64_t mik_words_at(int64_t rows, int64_t columns, int64_t row, int64_t n, int64_t *pitch)
{
    const int64_t in = n % MIK_WORD_COLUMNS;
    *pitch = mik_word_pitch(columns, n);
    return (n - in) * rows + row * *pitch + in;
}
