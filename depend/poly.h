/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Symbolic integer expressions as sums of monomials, so that OW * OC * 1 and OC * OW compare equal and the
 * coefficient of a loop variable can be read off.
 *
 * Values are taken modulo 2^64, which is exact for anything that ends as an index: signed arithmetic of the
 * spec does not overflow, 64-bit unsigned arithmetic wraps likewise, and everything else (32-bit unsigned
 * arithmetic, division, loads, ...) is one opaque atom. Immutable; lives in the Ir's arena.
 */
#ifndef MIKGEN_DEPEND_POLY_H
#define MIKGEN_DEPEND_POLY_H

#include "ir/node.h"

typedef struct Term {
    uint64_t coef; /* never 0 */
    int natoms;
    Node *const *atoms; /* T_INDEX nodes by ascending id; a power is a repetition */
} Term;

typedef struct Poly {
    int nterms;  /* 0: the polynomial 0 */
    Term *terms; /* ordered by their atoms, no two alike */
} Poly;

/* Of an expression of any integer type. */
Poly *poly_of(Ir *ir, Node *e);
Poly *poly_int(Ir *ir, int64_t value);
Poly *poly_add(Ir *ir, const Poly *a, const Poly *b);
Poly *poly_sub(Ir *ir, const Poly *a, const Poly *b);
Poly *poly_mul(Ir *ir, const Poly *a, const Poly *b);
bool poly_equal(const Poly *a, const Poly *b);
/* True when it is a constant, which goes to *value. */
bool poly_const(const Poly *p, int64_t *value);
bool poly_is(const Poly *p, int64_t value);
/* As an expression of type T_INDEX. */
Node *poly_node(Ir *ir, const Poly *p);
/* Is it an even number whatever its atoms are? */
/* What is left of it by a division that leaves the same whatever its variables are; -1: there is none. */
int poly_remainder(const Poly *p, int64_t by);
bool poly_is_even(const Poly *p);
bool poly_uses(const Poly *p, const Sym *sym);
/* *quotient * divisor == p as polynomials; false when there is no such one. */
bool poly_divide(Ir *ir, const Poly *p, const Poly *divisor, Poly **quotient);

/* p == rest + sum over i of coef[i] * vars[i], with nothing else depending on any of the `n` vars; false when
 * it has no such form. */
bool poly_affine(Ir *ir, const Poly *p, Sym *const *vars, int n, Poly **coef, Poly **rest);

#endif
