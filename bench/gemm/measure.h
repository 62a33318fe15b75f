/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Times every library on one shape, interleaved, and checks what each computes. */
#ifndef BENCH_MEASURE_H
#define BENCH_MEASURE_H

#include "peers.h"
#include "pool.h"
#include "shapes.h"

typedef struct Result {
    Shape shape;
    double seconds[MAX_COLUMNS]; /* of one call, the best turn; 0: the library does not take this shape */
    bool wrong[MAX_COLUMNS];     /* seconds is 0 then */
    double bytes;                /* A, B and C together */
    double read_seconds;         /* of reading A and B, where the product is one of matrix and vector beyond the caches; else 0 */
} Result;

typedef struct Bench Bench;

/* budget: seconds that all turns of a shape together should take. Memory for the largest of the shapes.
   As many threads as the pool has, which itself is for reading memory only.
   Ends the program when memory is exhausted. */
Bench *bench_open(const Peers *peers, Pool *pool, int type, double budget, const Shapes *shapes);
void bench_measure(Bench *bench, const Shape *shape, Result *result);
/* Share of the turns so far during which somebody else used the cores. */
double bench_busy(const Bench *bench);
void bench_close(Bench *bench);

#endif
