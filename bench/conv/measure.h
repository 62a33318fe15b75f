/* Times the generated convolutions and oneDNN's on one layer, interleaved, and checks what each computes. */
#ifndef BENCH_CONV_MEASURE_H
#define BENCH_CONV_MEASURE_H

#include "onednn.h"
#include "pool.h"

/* Columns of one layout: ours, and oneDNN's direct convolution, the one that it chooses itself, and the direct one with the
   filter as the caller has it. The others have reordered it ahead of time. */
enum { OURS, DIRECT, AUTOMATIC, PLAIN_FILTER, COLUMNS };

typedef struct Result {
    const Layer *layer;
    int batch;
    double seconds[3][COLUMNS];          /* by layout; BLOCKED has DIRECT and AUTOMATIC only; 0: not there, or wrong */
    char implementation[3][COLUMNS][32]; /* oneDNN's name of it */
    int wrong;                           /* of ours */
} Result;

/* budget: seconds that all turns together should take. */
void measure(const Layer *layer, int batch, Pool *pool, double budget, Result *result);

/* The fastest of oneDNN's columns in this layout; 0 if there is none. */
int best_peer(const Result *result, Layout layout);
/* Its time over ours; 0 if either is missing. */
double ratio(const Result *result, Layout layout);

#endif
