/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Configurations of a spec's nests as libraries that the measuring program loads. */
#ifndef MIKGEN_GEN_TUNE_NEST_FORMS_H
#define MIKGEN_GEN_TUNE_NEST_FORMS_H

#include "gen/front/spec.h"
#include "gen/driver/options.h"
#include "plan/profile/profile.h"

typedef struct FormMaker {
    const Options *opt;
    SpecText spec;      /* by itself: its Locs begin at 0 */
    const char *folder; /* a temporary one */
} FormMaker;

/* A run of mikgen: the spec by a template, as opt says, opt->planner.forms and opt->planner.grids, too. False after a message. */
bool form_emit(const SpecText *spec, const Options *opt, const char *template, Text *out);

/* The program that loads them. *path: where it is. As below. */
int form_program(Arena *arena, const FormMaker *maker, const char **path);

/* The spec as mikgen emits it with the profile's nests, and with more forms of a nest (numbers from 1 on), as library number so much. *path:
 * where it is. The exit status: 0, 1 after a message, 128 and more when a signal ended it. */
int form_library(Arena *arena, const FormMaker *maker, const Profile *profile, const NestForms *forms, int number, const char **path);

/* Removes it. */
void form_remove(const FormMaker *maker, int number);

#endif
