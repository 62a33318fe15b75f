/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Finds the fastest plan of a shape, in two contests.
 *
 * The first one is by successive halving: every plan is run, checked and timed once, in the order of what the cost model
 * expects; the fastest quarter takes part in more turns, a sixteenth in more again, the last dozen in yet more. Turns of one
 * plan are a few calls long, those of all plans interleaved; the least time counts.
 *
 * The least of hundreds of times is too low: the winner was fast and lucky. So these times are forgotten. The five fastest
 * plans and the choices are measured anew, turn about, in another order each time; medians of these turns alone are
 * reported, and the best plan is the best of these few.
 */
#ifndef BENCH_CONTEST_H
#define BENCH_CONTEST_H

#include <stdio.h>

#include "pool.h"
#include "shapes.h"

/* The choices that are compared. */
enum { CHOSEN, WAVE, PIPE, FIXED, CHOICES };
extern const char *const choice_names[CHOICES];

enum { TEXT = 120 };

typedef struct Outcome {
    Shape shape;
    int plans, skipped, wrong; /* run; for which no time was left; that computed something else */
    double best, best_cost;       /* seconds: measured, expected by the cost model */
    double seconds[CHOICES], cost[CHOICES];
    char best_text[TEXT], text[CHOICES][TEXT];
} Outcome;

typedef struct Contest Contest;

/* Memory for the largest of the shapes. budget: seconds that the first turns of a shape may take. fixed: the kernel of FIXED.
   list: gets a line for each plan that was run, as main.c's --plans has it; NULL: none. Ends the program when memory is exhausted. */
Contest *contest_open(Pool *pool, const Shapes *shapes, double budget, int fixed, FILE *list);
void contest_hold(Contest *contest, const Shape *shape, Outcome *outcome);
void contest_close(Contest *contest);

#endif
