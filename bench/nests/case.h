/* SPDX-License-Identifier: GPL-3.0-or-later */
/* One operator at one size, as bench/nests/driver.py writes it down for measure.c. */
#ifndef BENCH_NESTS_CASE_H
#define BENCH_NESTS_CASE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

typedef enum { F32, F64, F16, I8, U8, I32 } Type;

/* Values are sampled from low <= value < high; sorted ones start with low and end with high - 1. Of outputs is_read says that
   their values count, too. A matrix of `dominant` rows, if that is not 0, has as much added along its diagonal. */
typedef struct {
    const char *name;
    Type type;
    bool is_output, is_read;
    int64_t count;
    double low, high;
    bool is_sorted;
    int64_t dominant;
} Array;

/* run returns 0, or the status with which the operator refused. One that wants a workspace is left out if that is empty. */
typedef struct {
    const char *name;
    int (*run)(void *const *arrays);
    bool wants_workspace;
} Candidate;

/* The first candidate is the oracle. One that is_long runs once after its check, and slow candidates with it. */
typedef struct {
    const Array *arrays;
    int array_count;
    const Candidate *candidates;
    int candidate_count;
    double flops, tolerance;
    bool has_limit, is_long;
} Case;

extern const Case the_case;

/* What the emitted operator says it can use; given to it by measure.c. */
size_t case_workspace(void);
extern void *workspace;
extern size_t workspace_bytes;

/* How many threads the emitted operator may use, and how it gets them. */
extern int threads;
void parallel_for(void *ctx, int n, void (*task)(void *arg, int i), void *arg);

#endif
