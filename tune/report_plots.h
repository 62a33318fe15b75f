/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The pictures of a report. */
#ifndef MIKGEN_TUNE_REPORT_PLOTS_H
#define MIKGEN_TUNE_REPORT_PLOTS_H

#include "tune/report.h"

/* What of a nest's trials is drawn and listed. */
typedef struct ReportBest {
    const ReportTrial **trials; /* all that run, but for those measured again, best first; of equal ones the earlier first */
    int count;
    int measured;               /* configurations, with those that do not run */
} ReportBest;

/* "unroll 8, prefetch_distance 16" */
const char *report_knobs(Arena *arena, const ReportNest *nest, const char *const *knobs);

bool report_same_knobs(const ReportNest *nest, const char *const *a, const char *const *b);

/* The best found so far, by the number of configurations measured. */
void report_convergence(Arena *arena, Text *out, const ReportNest *nest);

/* Predicted against measured; nothing where fewer than two were predicted. */
void report_predictions(Arena *arena, Text *out, const ReportNest *nest, const ReportBest *best);

#endif
