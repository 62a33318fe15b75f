/* SPDX-License-Identifier: GPL-3.0-or-later */
/* From times of whole launches to the rates of a GPU kernel: MikPoly's g(t) of a thread block, with one term for what the
 * blocks of a full multiprocessor share, another for what a block alone waits for:
 *
 *   time(t steps, r blocks on each multiprocessor) = fixed + t * max(r * step, alone)
 *
 * Nanoseconds throughout. */
#ifndef MIKGEN_TUNE_RATES_H
#define MIKGEN_TUNE_RATES_H

typedef struct BlockTime {
    double steps;
    int shared;  /* r of a full machine; 0: one block alone on the whole GPU, whose steps count as `alone` whatever r * step is */
    double time; /* of a launch, without what any launch takes; > 0 */
} BlockTime;

typedef struct Rates {
    double fixed, step, alone;
} Rates;

/* The rates nearest to n >= 1 points, at most RATE_POINTS, by least squares of the relative error; points further off than three
 * times the median, and more than a tenth, count for nothing. Where all times with r blocks are bound by `alone`, `step` is the most
 * that it can be; where there are only times of full machines, `alone` is `step`. fixed >= 0, 0 < step <= alone. */
enum { RATE_POINTS = 64 };
Rates fit_rates(const BlockTime *points, int n);

/* What the model says of a point. */
double rates_time(const Rates *rates, const BlockTime *point);

/* What blocks that share a tile take for their meeting: time = meeting + partial * bytes. >= 0. */
typedef struct MeetingTime {
    double bytes; /* of sums that are left and taken, one after the other */
    double time;
} MeetingTime;
void fit_meeting(const MeetingTime *points, int n, double *meeting, double *partial);

#endif
