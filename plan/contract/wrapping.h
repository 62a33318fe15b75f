/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Sums of int and unsigned that are computed modulo 2^32 (FAM_I32): in any order, and without overflow where parts of them leave the range
 * of int. */
#ifndef MIKGEN_PLAN_CONTRACT_WRAPPING_H
#define MIKGEN_PLAN_CONTRACT_WRAPPING_H

#include "plan/contraction.h"

/* An integer type of 32 bits? */
bool is_word(Type type);

/* The same value of the type, a word, with all of its arithmetic on words done in unsigned. What computes nothing stays as it is. */
Node *wrapping(Ir *ir, Type type, Node *e);

/* The load behind conversions from one word to another, of an operand's value; NULL: it is none. */
Node *load_of_word(Node *value);

/* The factors of a product of integers that is converted to no wider a word, each converted itself; NULL: it is none. */
Node *wrapping_factors(Ir *ir, const Node *e);

/* The types of panels and of sums, as kernels have them. */
Type panel_type(const Contraction *c);
Type sums_type(const Contraction *c);

#endif
