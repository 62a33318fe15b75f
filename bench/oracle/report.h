/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The tables of the oracle. Ratios are the best plan's time over the choice's: 1 at most. */
#ifndef BENCH_ORACLE_REPORT_H
#define BENCH_ORACLE_REPORT_H

#include <stdio.h>

#include "contest.h"

/* By choice: geometric mean, 5th percentile, median and minimum over all shapes, and how many are within 3 %. */
void report_summary(const Outcome *outcomes, int count);
/* The shapes where the dispatcher's choice is furthest from the best plan, with times measured and expected. */
void report_worst(const Outcome *outcomes, int count, int worst);
/* One line a shape. */
void report_csv(FILE *file, const Outcome *outcomes, int count);
/* Each choice's ratios, sorted: a line a rank. */
void report_sorted(FILE *file, const Outcome *outcomes, int count);

#endif
