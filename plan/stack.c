/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The shares, in bytes, as gcc 12 and clang 19 use them. */
#include "plan/stack.h"

/* Bytes that frames take at most: entry points and checks; the run of a contraction and its kernels, or the packing of one
 * operand; tables of gathered operands besides. Of gcc and clang at -O1 to -O3, with some room. */
enum { FRAMES = 12288, GATHER_FRAMES = 14592 };

int stack_room(int stack, bool gathers) { return (stack - (gathers ? GATHER_FRAMES : FRAMES)) / 64 * 64; }

int stack_arrays(int stack, bool contracts) { return contracts ? 512 : stack / 4; }

int stack_small_room(int stack, bool contracts) { return contracts ? 0 : stack / 8; }
