/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Where a nest's loops had better stay as they are, because all that are vectorized have small trip counts:
 *
 *     switch (N < 8 ? as they are : the instruction set) ...
 */
#ifndef MIKGEN_PLAN_VECTORS_TRIP_COUNT_VERSIONING_H
#define MIKGEN_PLAN_VECTORS_TRIP_COUNT_VERSIONING_H

#include "plan/vectors/trip_count.h"

typedef struct Few {
    Vec lengths; /* Length * */
    int depth;   /* the most loops around one of the nest's */
    bool never;  /* a loop has many, or nobody knows */
} Few;

/* A loop of the nest is in so many others. */
void note_depth(Few *few, int depth);

/* The loop is vectorized, in so many others. strict: as in find_reductions(). */
void note_few(Few *few, const TripCounts *t, Node *loop, int depth, bool strict);

/* The loop's iterations are lanes of vectors, which go along columns: these may be few. */
void note_few_columns(Few *few, const TripCounts *t, Node *rows);

/* T_INT over what the nest is told: have all loops small trip counts? NULL: never. */
Node *few_iterations(Ir *ir, const Few *few);

/* Nanoseconds of the statements as they are, of a loop among them only its beginning. */
double iteration_ns(Node *statements);

#endif
