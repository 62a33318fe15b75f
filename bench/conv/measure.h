/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Times the generated convolutions and oneDNN's on one layer, interleaved, and checks what each computes. */
#ifndef BENCH_CONV_MEASURE_H
#define BENCH_CONV_MEASURE_H

#include "onednn.h"
#include "pool.h"

/* Columns of one layout: ours, with the filter as the caller has it and prepacked, and, in NHWC, prepacked with Winograd's algorithm allowed;
   oneDNN's direct convolution, the one that
   it chooses itself, and the direct one with the filter as the caller has it, which the others have reordered ahead of time; and
   oneDNN's with all three arrays in its own layouts, direct and as it chooses. */
enum { OURS, PACKED, WINOGRAD, DIRECT, AUTOMATIC, PLAIN_FILTER, BLOCKED_DIRECT, BLOCKED_AUTOMATIC, COLUMNS };

typedef struct Result {
    const Layer *layer;
    int batch;
    double seconds[2][COLUMNS]; /* by layout, NHWC and NCHW; 0: not there, or wrong */
    char implementation[2][COLUMNS][32]; /* oneDNN's name of it */
    int wrong; /* of ours */
} Result;

/* budget: seconds that all turns together should take. */
void measure(const Layer *layer, int batch, Pool *pool, double budget, Result *result);

/* The fastest of oneDNN's columns that ours of this column, OURS to WINOGRAD, is set against: those with image and output in this layout;
   those in layouts of its own. 0 if there is none. */
int best_peer(const Result *result, Layout layout, int ours);
/* Its time over ours; 0 if either is missing. */
double ratio(const Result *result, Layout layout, int ours);

#endif
