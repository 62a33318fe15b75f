/* SPDX-License-Identifier: GPL-3.0-or-later OR LicenseRef-mikgen-output */
/* How a stage describes an operand whose elements lie, under conditions, where sums of multiples of loop counters say: an image
   under its padding. */
#pragma once
#include "problem.h"

enum { MIK_LOOPS = 12, MIK_CONDITIONS = 8, MIK_RUNS = 16, MIK_LINES = 8 };

/* Loops: first those of the lines (rows of A, columns of B), then those of the steps along k, each group from the outermost
   to the innermost. Their counters t select the element base + sum move[i] t[i] of the array where, for every condition c,
   least[c] + sum along[c][i] t[i] >= 0; elsewhere the operand is 0. */
typedef struct {
    const void *array;
    int lines, steps, conditions;
    int64_t extent[MIK_LOOPS], move[MIK_LOOPS], least[MIK_CONDITIONS], along[MIK_CONDITIONS][MIK_LOOPS];
} mik_gather;
