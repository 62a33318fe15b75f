/* SPDX-License-Identifier: GPL-3.0-or-later */
/* How far a long run is, on stderr: a line that is written over and over on a terminal, else a line for each stage and each part done, and
 * one for every ten seconds in which nothing else was said. */
#ifndef MIKGEN_TUNE_PROGRESS_H
#define MIKGEN_TUNE_PROGRESS_H

#include <stdbool.h>

typedef struct Progress {
    double total, done; /* in any unit */
    bool is_terminal;
    int shown;          /* percent on the terminal; -1: nothing yet */
    double began;       /* seconds of some clock */
} Progress;

/* A stage of the run begins, of which nobody knows how far it is: "compiling ...". Said once where it follows itself. */
void progress_stage(const char *what);

/* It still goes on; called as often as one likes. */
void progress_stage_goes_on(void);

/* It is over: leaves its line on a terminal. */
void progress_stage_end(void);

Progress progress_begin(double total);

/* `amount` more is done, working on `part`. */
void progress_add(Progress *p, double amount, const char *part);

/* A part is complete. */
void progress_part(Progress *p, const char *part);

/* Nothing more will come: leaves the bar's line. */
void progress_end(Progress *p);

#endif
