/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "gen/tune/form_table.h"

#include <errno.h>
#include <string.h>

#include "gen/tune/tune_file.h"

bool form_table_open(const TuneOptions *tuning, const char *target, const char *const *knobs, int nknobs, FILE **file)
{
    *file = NULL;
    if (!tuning->table)
        return true;
    *file = fopen(tuning->table, "w");
    if (!*file) {
        tune_complain(strerror(errno), "--measurements names a file that can be written");
        return false;
    }
    fprintf(*file, "nest,%s,extents", target);
    for (int knob = 0; knob < nknobs; knob++)
        fprintf(*file, ",%s", knobs[knob]);
    fprintf(*file, ",ns,planned_ns\n");
    return true;
}

void form_table_add(FILE *file, const FormTable *table, const int *knobs, const FormTimes *form, const FormTimes *base)
{
    if (!file)
        return;
    for (int shape = 0; shape < table->nshapes; shape++) {
        fprintf(file, "%s,%s,%s", table->nest, table->target, table->shapes[shape].extents);
        for (int knob = 0; knob < table->nknobs; knob++)
            fprintf(file, ",%d", knobs[knob]);
        fprintf(file, ",%.6g,%.6g\n", form->time[shape], base->time[shape]);
    }
    fflush(file);
}
