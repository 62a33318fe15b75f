/* SPDX-License-Identifier: GPL-3.0-or-later */
/* A number for what loops compute, so that a profile can say something about them: the same for loops that differ in names alone. */
#ifndef MIKGEN_PLAN_FINGERPRINT_H
#define MIKGEN_PLAN_FINGERPRINT_H

#include "ir/node.h"

/* Of the kinds, types and literals of all nodes, of which symbols are the same, and of arrays' extents; never 0. FNV-1a (Fowler, Noll, Vo)
 * of 64 bits. */
uint64_t fingerprint(Ir *ir, Node *n);

#endif
