/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Population counts, however they are spelled, become N_POPCOUNT, for which sets have instructions or look-ups:
 *
 *     v = v - (v >> 1 & 0x55555555);                       const unsigned bits = v;
 *     v = (v & 0x33333333) + (v >> 2 & 0x33333333);   =>
 *     v = (v + (v >> 4)) & 0x0f0f0f0f;
 *     c += v * 0x01010101 >> 24;                           c += popcount(bits); */
#ifndef MIKGEN_PLAN_VECTORS_POPCOUNT_MATCHING_H
#define MIKGEN_PLAN_VECTORS_POPCOUNT_MATCHING_H

#include "ir/node.h"

/* The loop, whose iterations differ in what they count; itself if it counts no bits. */
Node *match_popcounts(Ir *ir, Node *loop);

#endif
