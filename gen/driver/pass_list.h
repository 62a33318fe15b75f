/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The names of plan/passes.def, and when a row is for a target. */
#ifndef MIKGEN_GEN_DRIVER_PASS_LIST_H
#define MIKGEN_GEN_DRIVER_PASS_LIST_H

#include <stdbool.h>

#include "ir/arena.h"

/* Columns of plan/passes.def. */
enum { ALWAYS = 0, ON_C = 1, ON_CUDA = 2, MAY_FUSE = 4, MAY_HOIST = 8, EACH_BODY = 16, AS_BEFORE = 0 };

typedef enum RowKind { ROW_PASS, ROW_GROUP, ROW_STEP, ROW_INNER } RowKind;

/* What can be given to --dump-after, with --keep-loops or without: "list" and names, NULL behind the last, in an array of the arena's. */
const char *const *pass_names(Arena *arena, bool keep_loops);

/* What --dump-after=list prints: the rows in their order, with a line about each. Arena-owned. */
const char *pass_list(Arena *arena, bool keep_loops);

#endif
