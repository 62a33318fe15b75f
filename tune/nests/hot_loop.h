/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What one iteration of a loop without loops inside asks of the registers and the latency of the processor. */
#ifndef MIKGEN_TUNE_NESTS_HOT_LOOP_H
#define MIKGEN_TUNE_NESTS_HOT_LOOP_H

#include "ir/node.h"

/* Values that are alive at once, at the most, as its body is written: what iterations hand on or have in common, names until they are
 * last read, elements that several statements read, and what a statement needs (Sethi and Ullman, JACM 1970). Vectors, and floating
 * scalars. `loop`: whose body it is; NULL: of none. */
int registers_needed(Arena *arena, const Node *loop, Node *body);

typedef struct CarriedChains {
    int chains;  /* scalars or vectors that each iteration makes of what the one before left */
    int updates; /* the most times that one of them changes in an iteration */
} CarriedChains;

CarriedChains carried_by(Arena *arena, Node *body);

#endif
