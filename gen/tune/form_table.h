/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The table of --measurements: a line for each configuration and shape. */
#ifndef MIKGEN_GEN_TUNE_FORM_TABLE_H
#define MIKGEN_GEN_TUNE_FORM_TABLE_H

#include <stdio.h>

#include "gen/driver/options.h"
#include "tune/measure_forms.h"

/* What lines about a nest have in common. */
typedef struct FormTable {
    const char *nest, *target; /* its stem; instruction set, or kind of GPU */
    const NestShape *shapes;
    int nshapes, nknobs;
} FormTable;

/* Begins it; target: what the column of these is called. *file: NULL if nobody wants a table. False after a message. */
bool form_table_open(const TuneOptions *tuning, const char *target, const char *const *knobs, int nknobs, FILE **file);

/* What a configuration took, and what is planned beside it. `file` may be NULL. */
void form_table_add(FILE *file, const FormTable *table, const int *knobs, const FormTimes *form, const FormTimes *base);

#endif
