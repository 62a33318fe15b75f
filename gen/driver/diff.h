/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The difference between a file and a text. */
#ifndef MIKGEN_GEN_DRIVER_DIFF_H
#define MIKGEN_GEN_DRIVER_DIFF_H

#include <stdbool.h>

#include "ir/arena.h"

/* Prints, in the unified format, what would make this text of the file `path`, by diff(1). False if that does not work, without a
 * message. */
bool diff_print(Arena *arena, const char *path, const Text *text);

#endif
