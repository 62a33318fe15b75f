/* SPDX-License-Identifier: GPL-3.0-or-later */
/* CUDA's threadIdx and its like are unsigned, so index arithmetic over them wraps, which keeps compilers from
 * seeing plain addresses. Where the values provably fit an int the arithmetic is done in int:
 *
 *     S[threadIdx.x / 8 * 8 + q]   ->   S[((int)threadIdx.x) / 8 * 8 + q]
 *
 * Only expressions that read an index variable change, and only where the type of the result does not matter:
 * in subscripts, compares and under conversions. The result computes the same values. Linear; idempotent. */
#ifndef MIKGEN_NORMALIZE_SIGN_H
#define MIKGEN_NORMALIZE_SIGN_H

#include "ir/node.h"

/* The body of a kept function; `body` itself if nothing changed. */
Node *int_where_proven(Ir *ir, Node *body);

#endif
