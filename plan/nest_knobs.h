/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What may be chosen about a nest's vectorized loops, besides what the planner decides for all nests alike: the parameters of a tuner's
 * space (tune/nests), a profile's `nest` lines. Every choice computes the same, but for the order of sums that may be reordered. */
#ifndef MIKGEN_PLAN_NEST_KNOBS_H
#define MIKGEN_PLAN_NEST_KNOBS_H

#include <stdbool.h>

#include "ir/arena.h"

typedef enum NestKnob {
#define KNOB(knob, word, former, what, ...) knob,
#include "plan/nest_knobs.def"
#undef KNOB
    KNOB_COUNT
} NestKnob;

/* Of a knob that is a question. */
enum { KNOB_NO = 1, KNOB_YES = 2 };
/* Of KNOB_LANES: the outermost that may be, even where a loop inside goes along neighbours; none but innermost ones. */
enum { KNOB_OUTER = 1, KNOB_INNER = 2 };
/* Of KNOB_ORDER, of a nest's free loops (plan/nests/permutable_band.h): as they are; the innermost moved out past the one around it, past all of
 * them; the outermost moved in past the next, past all of them. */
enum { ORDER_AS_PLANNED = 1, ORDER_LAST_TWO, ORDER_FIRST_TWO, ORDER_LAST_FIRST, ORDER_FIRST_LAST };

/* KNOB_PLANNED: what the planner does by itself, perhaps one thing in one loop and another in the next. */
enum { KNOB_PLANNED = 0, KNOB_VALUES = 6 };
typedef struct NestKnobs {
    int value[KNOB_COUNT];
} NestKnobs;

typedef struct KnobInfo {
    const char *name, *former, *what; /* former: its word in older profiles, still read */
    int values[KNOB_VALUES]; /* 0 ends them */
} KnobInfo;

extern const KnobInfo knob_info[KNOB_COUNT];

/* Is it one of the knob's values, or KNOB_PLANNED? */
bool knob_may_be(NestKnob knob, int value);

bool knobs_are_same(const NestKnobs *a, const NestKnobs *b);

/* "accumulators 8 prefetch_distance 4", as in profiles; "as planned". */
const char *knobs_words(Arena *arena, const NestKnobs *knobs);

#endif
