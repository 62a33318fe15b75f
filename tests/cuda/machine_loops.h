/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The loops of a kernel's machine code. */
#ifndef MACHINE_LOOPS_H
#define MACHINE_LOOPS_H

#include <stdbool.h>
#include <stdint.h>

typedef struct {
    uint64_t low, high;
} Word; /* of code: one instruction */

typedef struct {
    Word *words;
    int count;
    bool is_hopper; /* sm_90: branches have other fields */
} Code;

static inline unsigned opcode_of(Word word) { return word.low & 0xfff; }

/* The smallest loop around instruction `at`: inside[i] says whether it has instruction i. Returns its size; 0:
 * there is none. */
int smallest_loop(const Code *code, int at, bool *inside);

/* The loops that have no other inside: writes down how many instructions each has, at most `room`, in the order of their heads, and
 * returns how many there are. Branches back to one place are one loop. */
int innermost_loops(const Code *code, int *sizes, int room);

#endif
