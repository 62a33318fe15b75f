/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The table while it grows, the summary behind it, and the same as CSV. */
#ifndef BENCH_REPORT_H
#define BENCH_REPORT_H

#include <stdio.h>

#include "measure.h"

/* The fastest peer's column; 0 if no peer takes the shape. */
int best_peer(const Peers *peers, const Result *result);
/* Time of the best peer over ours; 0 if either is missing. */
double ratio(const Peers *peers, const Result *result);

void report_columns(const Peers *peers);
/* peak: GFLOP/s of the machine's FMA units. */
void report_row(const Peers *peers, const Result *result, double peak);
/* By set and over all: geometric mean, 5th percentile and minimum of ours against the best peer, and coverage. */
void report_summary(const Peers *peers, const Result *results, int count);
/* The rows with the lowest ratios. Reorders the results. */
void report_worst(const Peers *peers, Result *results, int count, int rows, double peak);
void report_csv(FILE *file, const Peers *peers, const Result *results, int count);

#endif
