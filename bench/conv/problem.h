/* SPDX-License-Identifier: GPL-3.0-or-later */
/* One layer's arrays in both layouts, and what its convolution must be. */
#ifndef BENCH_PROBLEM_H
#define BENCH_PROBLEM_H

#include "onednn.h"

typedef struct Problem {
    const Layer *layer;
    int batch;
    float *image[2], *filter[2]; /* by layout, NHWC and NCHW: multiples of 1/8 in [-1, 1], so that every order of a sum is exact */
    float *output;               /* of any layout: for the call to be checked or timed */
    double *expected;            /* NHWC, computed in double precision as the definition says */
} Problem;

/* Ends the program when memory is exhausted. */
Problem problem_new(const Layer *layer, int batch);
/* Before the call to be checked: makes every element of the output NaN. */
void problem_spoil(Problem *problem);
/* The largest difference between output and what it must be; NaN if an element is. */
double problem_error(const Problem *problem, Layout layout);
void problem_free(Problem *problem);

#endif
