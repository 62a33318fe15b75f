/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Intervals of integers, wide enough for every type. */
#ifndef MIKGEN_IR_INTERVAL_H
#define MIKGEN_IR_INTERVAL_H

#include "ir/node.h"

__extension__ typedef __int128 Wide; /* holds every sum, and every product of two, of any integer type */

typedef struct Range {
    Wide lo, hi; /* inclusive */
} Range;

static inline Wide min_wide(Wide a, Wide b) { return a < b ? a : b; }
static inline Wide max_wide(Wide a, Wide b) { return a < b ? b : a; }

Range type_range(Type type);
bool range_within(Range inner, Range outer);
/* Of no integer, to begin hulls with. */
Range range_empty(void);
Range range_hull(Range a, Range b);

/* The exact result of an operation, before it is converted to its type; `b` counts for nothing where there is one operand. */
Range exact_range(Kind kind, Type type, Range a, Range b);
/* What of `exact` a value of `type` can be. */
Range representable(Type type, Range exact);

#endif
