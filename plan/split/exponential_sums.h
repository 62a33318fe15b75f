/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Floating-point expressions as sums of products of atoms and one exponential (exponential polynomials), as if nothing were rounded:
 *
 *     a * exp(m - n) + exp(s - n) * v                 1 * a * e^(m - n)  +  1 * v * e^(s - n)
 *     exp(m - n) * exp(n - t)                         1 * e^(m - t)
 *
 * so that two ways to write the same compare equal. */
#ifndef MIKGEN_PLAN_SPLIT_EXPONENTIAL_SUMS_H
#define MIKGEN_PLAN_SPLIT_EXPONENTIAL_SUMS_H

#include "ir/node.h"

enum { MOST_ATOMS = 8, MOST_TERMS = 16 };

typedef enum ExpBase { BASE_NONE, BASE_E, BASE_2 } ExpBase;

struct ExpSum;

typedef struct ExpTerm {
    long double factor; /* never 0 */
    int natoms;
    Node *atoms[MOST_ATOMS]; /* by ascending id; a power is a repetition */
    ExpBase base;            /* BASE_NONE: there is no exponential */
    const struct ExpSum *exponent;
} ExpTerm;

typedef struct ExpSum {
    int nterms;
    ExpTerm terms[MOST_TERMS]; /* no two alike but for their factors */
} ExpSum;

/* Of a float or double. NULL: it is larger than that, or multiplies exponentials of different bases. All are owned by the arena, and NULL
 * where an operand is. */
const ExpSum *exp_sum_of(Ir *ir, Node *e);
const ExpSum *exp_sum_add(Ir *ir, const ExpSum *a, const ExpSum *b, int sign);
/* With another value for an atom, in exponents as well. */
const ExpSum *exp_sum_substitute(Ir *ir, const ExpSum *s, const Node *atom, const ExpSum *by);
/* The terms that have the atom, or those that have it not. */
const ExpSum *exp_sum_part(Ir *ir, const ExpSum *s, const Node *atom, bool with);
bool exp_sum_is_zero(const ExpSum *s);
bool exp_sum_equal(Ir *ir, const ExpSum *a, const ExpSum *b);
/* How often is the atom a factor of the term itself? */
int exp_term_power(const ExpTerm *t, const Node *atom);
/* Does the symbol occur anywhere in it, exponents included? */
bool exp_term_uses(const ExpTerm *t, const Sym *sym);
bool exp_sum_uses(const ExpSum *s, const Sym *sym);

#endif
