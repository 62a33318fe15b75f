/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Configurations of a nest, timed side by side by the program of templates/tune_nests.c.j2. */
#ifndef MIKGEN_TUNE_MEASURE_FORMS_H
#define MIKGEN_TUNE_MEASURE_FORMS_H

#include "tune/session.h"

/* Extents of an operator, one number for each integer parameter: "64x1000". */
typedef struct NestShape {
    int op; /* number of the operator in the spec */
    const char *extents;
} NestShape;

/* A configuration that the program has loaded; [0] of a comparison is what the others are measured against. */
typedef struct FormTimes {
    int library, choice; /* the program's number of a library, a form of that */
    double *time; /* of each shape: nanoseconds of a call; 0: it does not run */
} FormTimes;

typedef struct FormsInput {
    Session *session;
    const NestShape *shapes;
    int nshapes;
    int isa, threads;
    int least, most; /* rounds */
} FormsInput;

/* Fills forms[].time. All forms take turns, round after round: a slow moment meets all, and a form's time is what it took in its two best
 * rounds; what is far slower than another one is measured once. Rounds end when those agree for every form that is not. False when the conversation ended. */
bool measure_forms(Arena *arena, const FormsInput *in, FormTimes *forms, int nforms);

/* Geometric mean over shapes of base's time over the form's: above 1 the form is faster; 0: there is a shape that it does not run on. */
double form_speed(const FormsInput *in, const FormTimes *form, const FormTimes *base);

#endif
