/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Operations on bits, however they are spelled, become those for which sets have instructions or look-ups: N_POPCOUNT, N_BIT_REVERSE,
 * N_BYTE_REVERSE.
 *
 *     v = v - (v >> 1 & 0x55555555);                       const unsigned bits = v;
 *     v = (v & 0x33333333) + (v >> 2 & 0x33333333);   =>
 *     v = (v + (v >> 4)) & 0x0f0f0f0f;
 *     c += v * 0x01010101 >> 24;                           c += popcount(bits);
 *
 *     for (int b = 0; b < 32; b++) {                       const unsigned bits = v;
 *         r = r << 1 | (v & 1);                       =>   r = bit_reverse(bits);
 *         v >>= 1;                                         v = 0;
 *     } */
#ifndef MIKGEN_PLAN_VECTORS_BIT_MATCHING_H
#define MIKGEN_PLAN_VECTORS_BIT_MATCHING_H

#include "ir/node.h"

/* The loop, whose iterations differ in the integers at hand; itself if it has no such operation. */
Node *match_bits(Ir *ir, Node *loop);

#endif
