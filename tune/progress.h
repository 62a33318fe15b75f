/* SPDX-License-Identifier: GPL-3.0-or-later */
/* How far a long run is, on stderr: a bar that stays in its line on a terminal, else a line for each part done. */
#ifndef MIKGEN_TUNE_PROGRESS_H
#define MIKGEN_TUNE_PROGRESS_H

#include <stdbool.h>

typedef struct Progress {
    double total, done; /* in any unit */
    bool is_terminal;
    int shown;          /* percent on the terminal; -1: nothing yet */
    double began;       /* seconds of some clock */
} Progress;

Progress progress_begin(double total);

/* `amount` more is done, working on `part`. */
void progress_add(Progress *p, double amount, const char *part);

/* A part is complete. */
void progress_part(Progress *p, const char *part);

/* Nothing more will come: leaves the bar's line. */
void progress_end(Progress *p);

#endif
