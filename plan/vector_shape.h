/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Instruction sets of non-GEMM loops, and what their vectors hold. */
#ifndef MIKGEN_PLAN_VECTOR_SHAPE_H
#define MIKGEN_PLAN_VECTOR_SHAPE_H

#include "ir/node.h"

/* Best first. */
typedef enum VectorSetId {
#define LOOPS(id, ...) SET_##id,
#include "plan/isa.def"
    SET_COUNT
} VectorSetId;

/* As plan/isa.def has it. */
typedef struct VectorSet {
    const char *name; /* "avx512" */
    char letter;      /* of its vectors' names */
    const char *guard, *macro, *attribute, *features;
    int bytes;        /* of a register, */
    int registers;    /* and how many there are */
    int number;       /* in options.isa */
    bool masks;       /* loads and stores of some lanes only are instructions, */
    bool quick_masks; /* as quick as those of all */
} VectorSet;

extern const VectorSet vector_sets[SET_COUNT];

/* All vectors of a loop have as many lanes: of 32-bit elements, of 64-bit ones if it computes with any, of 16 or 8 bits if all that it
 * computes fits these, sums apart. */
typedef struct VectorShape {
    const VectorSet *set;
    int lanes;
    LaneWidth width;
} VectorShape;

VectorShape vector_shape(VectorSetId set, LaneWidth width);
/* The lanes of a vector of that type. */
int vector_lanes(const VectorSet *set, Type type);

#endif
