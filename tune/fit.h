/* SPDX-License-Identifier: GPL-3.0-or-later */
/* From repeated measurements to g(t): what is left when the noise of a machine in use is taken away. */
#ifndef MIKGEN_TUNE_FIT_H
#define MIKGEN_TUNE_FIT_H

#include <stdbool.h>

#include "plan/kernels/kernel.h"

/* One time out of n > 0 repeats of the same measurement. What disturbs it only adds time, so all but the two smallest are
 * dropped. */
double fit_robust(const double *times, int n);

/* The least of n > 0 repeats: for what is subtracted from another such time. */
double fit_least(const double *times, int n);

/* Whether the two smallest of the repeats agree within `tolerance`, a fraction: another one will tell nothing new. */
bool fit_agrees(const double *times, int n, double tolerance);

/* Makes y[0 .. n-1] non-decreasing with the least sum of squared relative changes (pool adjacent violators);
 * 0 < n <= FIT_POINTS, y > 0. */
enum { FIT_POINTS = 128 };
void fit_monotone(double *y, int n);

/* The values at g_knots of the piecewise linear function that lies nearest to the points (t[i], y[i]), 1 <= t[i], by
 * least squares of the relative error. Knots beyond the last point continue the last slope. Positive and
 * non-decreasing. t increases; n >= 1. */
void fit_g(const double *t, const double *y, int n, double g[G_KNOTS]);

/* Coefficients x >= 0 of rows[i] . x ~ y[i], by least squares of the relative error; a coefficient that would become
 * negative is 0. */
enum { FIT_TERMS = 3 };
void fit_terms(double (*rows)[FIT_TERMS], const double *y, int n, double x[FIT_TERMS]);

#endif
