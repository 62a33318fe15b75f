/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Several benches on one machine: each holds a file's lock while it measures, a minute at a time. */
#ifndef BENCH_TURNS_H
#define BENCH_TURNS_H

typedef struct Turns {
    int file; /* -1: nobody to take turns with */
    double since;
} Turns;

/* path NULL: nobody to take turns with. Ends the program when the file cannot be opened. */
Turns turns_open(const char *path);
/* Before each measurement: gives others their turn when this one is over. */
void turns_take(Turns *turns);
void turns_close(Turns *turns);

#endif
