/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Which loops of a nest are vectorized for one instruction set, and what of the others around these is unrolled and jammed. */
#ifndef MIKGEN_PLAN_VECTORS_VECTORIZER_H
#define MIKGEN_PLAN_VECTORS_VECTORIZER_H

#include "plan/plan.h"
#include "plan/vectors/trip_count_versioning.h"

/* What is known where a loop begins. */
typedef struct KnownScalars {
    Map numbers; /* by symbol id: the scalars that are not NaN, */
    int nsyms;   /* of symbols that there were before the nest was arranged */
    Map names;   /* by symbol id: Node *, what constants of the body stand for */
} KnownScalars;

/* Where in the nest a loop stands. */
typedef struct LoopsAround {
    int depth;          /* so many are around */
    int rows;           /* iterations of one around for which these stand; 0: none are done together */
    bool blocks;        /* one around goes over parts of another */
    bool overlaps;      /* outputs may be stored twice: plan/nests/register_tiling.h */
    bool beside_border; /* there is one before it that takes its guards */
    TripCounts trips;
} LoopsAround;

typedef struct Vectorizer {
    Ir *ir;
    const HostNest *nest;
    VectorSetId set;
    const NestKnobs *knobs;
    const PlanOptions *opt;
    bool strict;   /* as PlanOptions have them */
    MathForm math;
    Plan *plan;             /* where remarks go; NULL: nowhere */
    Vec *table;             /* LoopRow; NULL: nobody asks what becomes of loops */
    KnownScalars known;
    LoopsAround around;
    int done;      /* loops that are vectorized, */
    int maps;      /* of these such as gather nothing up */
    Map tried;     /* by node id: Trial * of a loop */
    Map said;      /* by place in the spec: a loop that a remark is about */
    Map next_rows; /* by node id: Vec * of NextRow *, what a loop is to prefetch */
    Vec outputs;   /* arrays that may be stored non-temporally */
    Few few;       /* of loops that are vectorized */
    bool outer_lanes; /* loops around innermost ones are vectorized if they can be: */
    bool has_outer;   /* some are that would not be otherwise */
    bool half_lanes; /* loops of so few iterations that half a vector holds them have such vectors: */
    bool has_half;   /* some do */
    bool sums_unrolled; /* of short loops, so that those around fill vectors */
    bool reorders; /* sums are reduced in another order, or functions computed otherwise than the C library's */
} Vectorizer;

/* NULL: none is vectorized. */
Node *vectorize_loops(Vectorizer *v, Node *body);

#endif
