/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The offline stage on a CPU: which measurements make a profile, and their way from a measuring program into it.
 *
 * MikPoly, section on the performance model: each micro-kernel's pipelined task of t reduction steps is timed for
 * t = 1 .. n_pred and g(t) fitted to it, piecewise linear. Beyond the paper: moving data, dot kernels, threads.
 *
 * Repeats of one measurement are spread over time (rounds over a group of measurements), so that a disturbance meets
 * all that will be compared, and end when the two best agree. */
#ifndef MIKGEN_TUNE_TUNE_H
#define MIKGEN_TUNE_TUNE_H

#include "plan/kernels/kernel.h"
#include "plan/profile/profile.h"

/* The kernels of one family, as they are in the measuring program. */
typedef struct TuneFamily {
    Family family;
    const KernelSet *sets;
    int nsets;
    bool in_place;         /* its operands can be read in place: the costs of doing so mean something */
    bool converts;         /* some operand has to be fetched by the operation itself */
} TuneFamily;

typedef struct TuneInput {
    const char *program; /* the compiled measuring program */
    const TuneFamily *families;
    int nfamilies;
    const char *isa;      /* only this instruction set; NULL: all that the machine has */
    const char *compiler; /* for the comments: how the program was compiled */
    int n_pred;           /* the greatest number of steps that is measured */
    bool quick;           /* short samples, few repeats: for trying things out */
    bool again;           /* measure also what is known; the shorter times win */
    bool (*save)(void *user, const Profile *profile); /* called after each group; false: give up */
    void *user;
} TuneInput;

typedef enum TuneResult { TUNE_DONE, TUNE_INTERRUPTED, TUNE_FAILED } TuneResult;

/* Measures what `profile` lacks and adds it. Interrupted by SIGINT or SIGTERM (*number tells which), it keeps what is
 * complete. TUNE_FAILED after a message. Progress goes to stderr. */
TuneResult tune_measure(Arena *arena, const TuneInput *in, Profile *profile, int *number);

#endif
