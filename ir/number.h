/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Integers that a user writes: in options, in lists of them, in pragmas. */
#ifndef MIKGEN_IR_NUMBER_H
#define MIKGEN_IR_NUMBER_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "ir/arena.h"

/* Are these `len` bytes, all of them, an integer from `low` to `high`? Decimal digits, or hexadecimal ones after 0x, and a
 * minus sign in front or none; no blanks. If not, *out stays as it is. */
bool number_within(const char *text, size_t len, int64_t low, int64_t high, int64_t *out);

/* "a number from 1 to 256, not 'text'": what a message says when it is not. Arena-owned. */
const char *number_expected(Arena *arena, const char *text, size_t len, int64_t low, int64_t high);

#endif
