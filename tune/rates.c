/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Least squares over the launches, with each term held above 0. */
#include "tune/rates.h"

#include <math.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "ir/diag.h"
#include "tune/fit.h"

static double larger(double x, double y) { return x > y ? x : y; }

double rates_time(const Rates *r, const BlockTime *p)
{
    return r->fixed + p->steps * (p->shared ? larger(p->shared * r->step, r->alone) : r->alone);
}

/* Least squares over the points that are `used`, each with the term that `by_step` says. */
static Rates solve_terms(const BlockTime *points, int n, const bool *used, const bool *by_step)
{
    double rows[RATE_POINTS][FIT_TERMS], y[RATE_POINTS] = {0}, x[FIT_TERMS];
    int count = 0, steps = 0, most = 1;
    for (int i = 0; i < n; i++) {
        const BlockTime *p = &points[i];
        most = p->shared > most ? p->shared : most;
        if (!used[i])
            continue;
        rows[count][0] = 1;
        rows[count][1] = by_step[i] ? p->steps * p->shared : 0;
        rows[count][2] = by_step[i] ? 0 : p->steps;
        y[count++] = p->time;
        steps += by_step[i];
    }
    fit_terms(rows, y, count, x);
    const double least = 1e-2;
    Rates r = {x[0], steps ? x[1] : x[2] / most, steps < count ? x[2] : x[1]};
    r.step = larger(r.step, least);
    r.alone = larger(r.alone, least);
    return r;
}

/* Which term bounds a point depends on the rates: in turns, until nothing changes. */
static Rates fit_used(const BlockTime *points, int n, const bool *used)
{
    enum { TURNS = 20 };
    bool by_step[RATE_POINTS] = {false};
    int most = 0;
    for (int i = 0; i < n; i++)
        most = points[i].shared > most ? points[i].shared : most;
    for (int i = 0; i < n; i++)
        by_step[i] = points[i].shared == most && most > 0;
    Rates r = {0, 0, 0};
    for (int turn = 0, changes = 1; changes && turn < TURNS; turn++) {
        r = solve_terms(points, n, used, by_step);
        changes = 0;
        for (int i = 0; i < n; i++) {
            const bool is = points[i].shared > 0 && points[i].shared * r.step >= r.alone;
            changes += is != by_step[i];
            by_step[i] = is;
        }
    }
    return r;
}

static double distance(const Rates *r, const BlockTime *p) { return fabs(rates_time(r, p) / p->time - 1); }

static int number_order(const void *a, const void *b)
{
    double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

Rates fit_rates(const BlockTime *points, int n)
{
    const double tolerance = 0.1, far = 3;
    bool used[RATE_POINTS] = {false};
    double off[RATE_POINTS];
    if (n > RATE_POINTS)
        internal_error("more than %d times of a kernel", RATE_POINTS);
    for (int i = 0; i < n; i++)
        used[i] = true;
    const Rates all = fit_used(points, n, used);
    for (int i = 0; i < n; i++)
        off[i] = distance(&all, &points[i]);
    qsort(off, (size_t)n, sizeof *off, number_order);
    const double most = larger(tolerance, far * off[n / 2]);
    for (int i = 0; i < n; i++)
        used[i] = distance(&all, &points[i]) <= most;
    Rates r = fit_used(points, n, used);
    r.alone = larger(r.alone, r.step); /* the model asks for the larger of the two, or more */
    return r;
}

void fit_meeting(const MeetingTime *points, int n, double *meeting, double *partial)
{
    double rows[RATE_POINTS][FIT_TERMS], y[RATE_POINTS] = {0}, x[FIT_TERMS];
    if (n > RATE_POINTS)
        internal_error("more than %d times of meetings", RATE_POINTS);
    for (int i = 0; i < n; i++) {
        rows[i][0] = 1;
        rows[i][1] = points[i].bytes;
        rows[i][2] = 0;
        y[i] = points[i].time;
    }
    fit_terms(rows, y, n, x);
    *meeting = x[0];
    *partial = x[1];
}
