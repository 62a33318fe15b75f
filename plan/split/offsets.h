/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Products of integers with offsets, whose inner sums need but the products without:
 *
 *     for (k) sum += (A[m][k] - za) * (W[n][k] - zw);
 * is
 *     for (k) sum += A[m][k] * W[n][k];    sum - zw * rows[m] - za * columns[n] + za * zw * K
 *
 * where rows[m] is the sum of A[m][k], and columns[n] that of W[n][k], each summed once. Exact: all of it wraps. */
#ifndef MIKGEN_PLAN_SPLIT_OFFSETS_H
#define MIKGEN_PLAN_SPLIT_OFFSETS_H

#include "plan/split/gather_sums.h"
#include "plan/split/sum_tables.h"

/* What is added to a sum once: scale * the sum of `term` over the chain, or minus that. */
typedef struct Share {
    Node *scale; /* T_UINT, the same in all iterations of the chain */
    Node *term;  /* T_INT; NULL: 1 */
    bool negative;
} Share;

/* Factors that are 0 unless a condition holds become what they are there, and the condition the chain's last one:
 *
 *     sum += (inside ? A[m][k] - za : 0) * W[n][k];         if (inside)
 *     sum += ((inside ? A[m][k] : za) - za) * W[n][k];          sum += (A[m][k] - za) * W[n][k];
 *
 * False: they are none, or there are several sums. */
bool take_choices(Ir *ir, Sums *s);

/* Takes the offsets off the sum's factors, and pushes Share * for what they come to. False: it has none, or they are better left to
 * the factors: constants, or what has to be added to more than bytes. */
bool take_offsets(Ir *ir, const Vec *path, Sum *sum, Vec *shares);

/* The share's value, T_UINT, for an iteration of the loops around the chain. What has to be summed up before these goes to `before`. NULL:
 * that cannot be told. */
Node *share_value(const SumChain *chain, const Share *share, Vec *before);

#endif
