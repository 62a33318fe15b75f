/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Integers as sums of the bits of one other: what a population count computes on its way.
 *
 *     x - (x >> 1 & 0x55)     bit 0 of x once, bit 1 once, bit 2 four times, bit 3 four times ... */
#ifndef MIKGEN_PLAN_VECTORS_BIT_WEIGHTS_H
#define MIKGEN_PLAN_VECTORS_BIT_WEIGHTS_H

#include "ir/node.h"

enum { MOST_BITS = 64 };

/* The sum over all i of weight[i] times bit i, modulo 2 to the number of bits that `type` has. */
typedef struct BitWeights {
    Type type;
    uint64_t weight[MOST_BITS];
} BitWeights;

/* An integer itself. */
BitWeights bits_of_itself(Type type);

/* The others return false where the value is no such sum, or may not be. */

bool bits_cast(const BitWeights *of, Type type, BitWeights *result);
/* By a constant on the right: + - * & << >>. */
bool bits_by_constant(Kind kind, const BitWeights *of, uint64_t constant, BitWeights *result);
/* + - | ^ of two sums of the same integer's bits. */
bool bits_of_two(Kind kind, const BitWeights *a, const BitWeights *b, BitWeights *result);

/* Of a number without a sign the count of its bits that are 1, if these are bits of the integer, each at one place at most. */
bool bits_counted(const BitWeights *of, Type type, BitWeights *result);

/* Does the sum count bits, each at most once? *counted: which. */
bool bits_are_counted(const BitWeights *of, uint64_t *counted);

/* Is it the integer of so many bits with its bits, or its bytes, in reverse? */
bool bits_are_reversed(const BitWeights *of, int bits);
bool bytes_are_reversed(const BitWeights *of, int bits);
bool bits_are_zero(const BitWeights *of);
/* May masks and shifts take the sum apart? */
bool bits_are_apart(const BitWeights *of);

#endif
