/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The sets of shapes: C (M x N) = A (M x K) * B (K x N). Every draw is seeded: the same list on every machine. */
#ifndef BENCH_SHAPES_H
#define BENCH_SHAPES_H

#include <stdbool.h>

typedef struct Shape {
    const char *set;
    int M, N, K;
} Shape;

typedef struct Shapes {
    Shape *items;
    int count, room;
} Shapes;

/* Names of the sets, in the order of the report; NULL ends them. */
extern const char *const shape_sets[];

/* Appends one set. data: folder of deepbench_gemm.csv. Shapes of more than max_flops operations are replaced by other samples (boxes),
   scaled down (decode) or left out. False: no such set, or its file is missing (a message is printed). */
bool shapes_add_set(Shapes *shapes, const char *set, const char *data, double max_flops);
void shapes_add(Shapes *shapes, const char *set, int M, int N, int K);
/* Appends draws, log-uniform in 1 .. side, no two the same, until there are `count` shapes. */
void shapes_add_different(Shapes *shapes, int side, int count);
/* A seeded shuffle; then at most `keep` shapes stay (all, if it is 0). */
void shapes_shuffle(Shapes *shapes, int keep);
double shape_flops(const Shape *shape);

#endif
