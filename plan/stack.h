/* SPDX-License-Identifier: GPL-3.0-or-later */
/* How the stack of an emitted C file's entry points is shared out, so that a call and everything below it take no more than
 * --stack says. tests/stack adds up what compilers make of it. */
#ifndef MIKGEN_PLAN_STACK_H
#define MIKGEN_PLAN_STACK_H

#include <stdbool.h>

enum {
    STACK_DEFAULT = 16384, /* bytes */
    STACK_LEAST = 16384 - 1024,
    STACK_MOST = 1 << 20
};

/* The buffer for packed operands and sums that a call may have on its stack; what needs more is allocated. `gathers`: some
 * operand's elements are found while it is packed, which takes tables. */
int stack_room(int stack, bool gathers);

/* Local arrays of an operator's spec that may stay on the stack, in bytes; `contracts`: below it contractions run. */
int stack_arrays(int stack, bool contracts);

/* Intermediate arrays that a call allocates unless all of them fit so many bytes of its stack; 0: it always does. */
int stack_small_room(int stack, bool contracts);

#endif
