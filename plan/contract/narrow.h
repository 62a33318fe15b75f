/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Operands and outputs of element types narrower than the sums': which of them packing and storing convert by
 * address, and which products dot-product instructions can do. */
#ifndef MIKGEN_PLAN_CONTRACT_NARROW_H
#define MIKGEN_PLAN_CONTRACT_NARROW_H

#include "plan/plan.h"

/* Do all values of an integer expression lie in lo .. hi, as far as its types and constants tell? */
bool fits_between(const Node *e, int64_t lo, int64_t hi);

/* The same value before its conversion to float, when it is of the narrow type throughout; NULL otherwise. */
Node *narrowed(Ir *ir, Type narrow, Node *e);

/* C target: the load whose elements a packing routine turns into those of a panel, NULL when only the operator's own
 * function can: of the panel's type; (float)half, (float)bf16; in FAM_I32 a word; in FAM_I8 a short, or a signed or unsigned char plus a
 * constant, which goes to *plus. */
Node *packed_load(const Contraction *c, Node *value, int64_t *plus);

/* Are elements of this type converted when they are packed? */
bool packing_converts(const Contraction *c, Type type);

/* What a factor is a conversion of that keeps its value, or NULL. */
Node *before_conversion(const Contraction *c, Node *value);

/* Are there routines that store sums as this type? */
bool stores_converted(Type acc, Type out);

/* Does the epilogue of an output that is strided, but not in place, end by storing the conversion of a value of the sum's
 * type, and store nothing else? Is that value the sum itself? */
bool ends_converted(const Contraction *c);
bool stores_sum(const Contraction *c);

/* CUDA: makes the operands' values, where each is within signed or within unsigned bytes, of these types, and the family U8S8. */
bool to_bytes(Ir *ir, Contraction *c);

/* C target: sets c->dots, and the operands' dots_plus, from their values' types and ranges. The family is known. `held`: as in KernelOptions. */
void choose_dots(Ir *ir, Contraction *c, unsigned held);

#endif
