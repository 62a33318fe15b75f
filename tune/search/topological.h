/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Orders in which nothing stands before what it depends on (A. B. Kahn, "Topological sorting of large networks", 1962), as DynaChain
 * (section 3.4.1) puts its strategies and parameters one behind the other. */
#ifndef MIKGEN_TUNE_SEARCH_TOPOLOGICAL_H
#define MIKGEN_TUNE_SEARCH_TOPOLOGICAL_H

#include "ir/arena.h"

typedef struct TuneEdge {
    int from, to; /* from comes before to */
} TuneEdge;

/* Writes 0 .. n-1 to order[0 .. n-1] so that every edge's `from` comes before its `to`; of those that are free the smallest comes
 * first. Edges may repeat; their ends are in 0 .. n-1. Returns NULL, or where there is none such order one cycle by the things' names:
 * "a -> b -> a", from the smallest of them, in the arena. */
const char *topological_order(Arena *arena, const char *const *names, int n, const TuneEdge *edges, int nedges, int *order);

#endif
