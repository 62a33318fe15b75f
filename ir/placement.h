/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Where a producer is computed: the choices for a local array that loops store and others read. */
#ifndef MIKGEN_IR_PLACEMENT_H
#define MIKGEN_IR_PLACEMENT_H

#include "ir/arena.h"

typedef enum Placement {
#define PLACEMENT(name, word, what) name,
#include "ir/placements.def"
#undef PLACEMENT
    PLACEMENT_COUNT
} Placement;

typedef struct PlacementInfo {
    const char *word; /* in profiles */
    const char *what;
} PlacementInfo;

extern const PlacementInfo placement_info[PLACEMENT_COUNT];

/* Of the local arrays of an operator, in the order of their declarations, so many can be placed otherwise than planned: those first. */
enum { MOST_PLACED = 20 };

typedef struct Placements {
    Placement of[MOST_PLACED]; /* by number of the array */
} Placements;

/* The placement of that word, of so many characters; PLACEMENT_COUNT: there is none. */
Placement placement_named(const char *word, size_t length);

/* "planned, inlined, merged or whole", for messages. Arena-owned. */
const char *placement_words(Arena *arena);

#endif
