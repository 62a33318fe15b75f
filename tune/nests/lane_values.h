/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Integers of a tree as the lanes of one warp compute them, each its own: what subscripts are is found out by doing it. */
#ifndef MIKGEN_TUNE_NESTS_LANE_VALUES_H
#define MIKGEN_TUNE_NESTS_LANE_VALUES_H

#include "ir/node.h"
#include "ir/sym_map.h"
#include "tune/nests/device_features.h"

typedef struct LaneValue {
    int64_t of[MOST_LANES];
} LaneValue;

typedef struct LaneValues {
    Arena *arena;
    Map known;   /* by symbol id: LaneValue * */
    Map defined; /* and of scalars that depend on others: const Node * */
} LaneValues;

/* What a scalar is worth from here on; NULL: nobody knows. */
void lanes_set(LaneValues *l, const Sym *scalar, const LaneValue *value);
/* Or what it is computed from. */
void lanes_define(LaneValues *l, const Sym *scalar, const Node *e);
void lanes_set_all(LaneValues *l, const Sym *scalar, int64_t value);

/* False: memory, or a scalar that is not known, decides, or it is no integer. */
bool lane_values_of(const LaneValues *l, const Node *e, LaneValue *out);

/* Of the element that a load or store touches: its number from the array's beginning. */
bool lane_values_of_access(const LaneValues *l, const Node *access, LaneValue *out);

#endif
