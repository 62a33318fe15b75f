/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What a run writes: texts for files, which are written once all of them are there. */
#ifndef MIKGEN_GEN_DRIVER_RUN_OUTPUTS_H
#define MIKGEN_GEN_DRIVER_RUN_OUTPUTS_H

#include <stdbool.h>

#include "gen/driver/options.h"
#include "ir/arena.h"

typedef struct Output {
    const char *path; /* NULL: standard output */
    Text text;
} Output;

typedef struct Outputs {
    Arena *arena; /* owns all of it */
    Vec texts;    /* Output * */
    Vec inputs;   /* const char *: files that have been read for them and no option names */
    Text rules;   /* what they depend on, as rules for make (--depfile) */
} Outputs;

void outputs_init(Outputs *outputs, Arena *arena);

/* One more, for the file `path`, which may be NULL. */
void outputs_add(Outputs *outputs, const char *path, const Text *text);

/* A rule for make: those of the texts from number `first` on depend on the files of these names (const char *), of which "-" and
 * what comes twice are left out. Names are quoted as make reads them. */
void outputs_rule(Outputs *outputs, int first, const Vec *names);

/* Writes the rules to opt->out.depfile, unless that is NULL, and the texts to their files. False after one message, with nothing written if
 * one of these is an input. */
bool outputs_write(const Outputs *outputs, const Options *opt);

#endif
