/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What may be chosen about the kernels of a nest on a GPU: how many threads a block has, and how much each of them does. Every choice
 * computes the same, but for the order of sums that may be reordered. */
#ifndef MIKGEN_PLAN_GRID_KNOBS_H
#define MIKGEN_PLAN_GRID_KNOBS_H

#include <stdbool.h>

#include "ir/arena.h"

typedef enum GridKnob {
#define GRID_KNOB(knob, word, what, planned, ...) knob,
#include "plan/grid_knobs.def"
#undef GRID_KNOB
    GRID_KNOBS
} GridKnob;

/* 0: as planned. */
enum { GRID_VALUES = 7 };
typedef struct GridKnobs {
    int value[GRID_KNOBS];
} GridKnobs;

typedef struct GridKnobInfo {
    const char *name, *what;
    int planned;
    int values[GRID_VALUES]; /* 0 ends them */
} GridKnobInfo;

extern const GridKnobInfo grid_knob_info[GRID_KNOBS];

/* What is chosen, or planned. */
int grid_knob(const GridKnobs *knobs, GridKnob knob);

/* All of them? */
bool grid_is_planned(const GridKnobs *knobs);

/* Those that are not as planned, by their words: "threads 128 pieces 2"; "planned". Arena-owned. */
const char *grid_knobs_text(Arena *arena, const GridKnobs *knobs);

/* Is it one of the knob's values, or 0? */
bool grid_knob_may_be(GridKnob knob, int value);

#endif
