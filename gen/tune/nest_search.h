/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The search of one nest's space on this machine. */
#ifndef MIKGEN_GEN_TUNE_NEST_SEARCH_H
#define MIKGEN_GEN_TUNE_NEST_SEARCH_H

#include <stdio.h>

#include "gen/driver/nest_choice.h"
#include "gen/tune/form_search.h"
#include "gen/tune/nest_forms.h"
#include "gen/driver/pipeline.h"
#include "gen/tune/tune_report.h"
#include "tune/measure_forms.h"
#include "tune/nests/predict.h"
#include "tune/progress.h"

/* What a model learns from while nests are searched: a row for each configuration and shape that was measured, and by how much the
 * logarithm of its speed, beside what is planned, was another than expected. */
typedef struct Lessons {
    Vec rows; /* const double *, of ROW_FEATURES */
    Vec wrong; /* double * */
} Lessons;

/* A run of `mikgen tune` over nests. */
typedef struct NestTuner {
    Ir *ir;
    const Options *opt;
    const Program *program; /* of the spec that is measured now, as are */
    FormMaker maker;
    Session *session;
    Profile *profile;
    Vec shapes;      /* NestShape *: of that spec; while a nest is searched, those at which it runs */
    VectorSetId set; /* that is searched */
    FILE *table;     /* of --measurements; NULL: none */
    TuneReport *report;
    NestModel model;
    NestChooser usual; /* what is done where nothing is measured */
    Lessons lessons; /* of all nests so far */
    Progress progress;
    double deadline; /* on measure_clock; 0: none */
    int status;      /* the exit status, as soon as it is not DONE */
} NestTuner;

/* The planner's options of a run. */
PlanOptions tuner_plan_options(const PlannerOptions *planner, const Program *program);

/* On how many threads calls are measured. */
int tuner_threads(const Options *opt);

/* Knobs that tables of such calls have a column of: the first so many; on one thread all but KNOB_TASKS, the last, which is none of a space. */
int tuner_knobs(const Options *opt);

/* The space of a nest for such calls; NULL: there is nothing to choose. */
const NestSpace *tuner_space(Ir *ir, const Options *opt, const Program *program, HostNest *nest, VectorSetId set);

/* Measures n forms on `shapes` in turn, `least` times each or more, in calls of the set that is searched; *in says how, for whoever reads
 * the times. False, with t->status and after a message, where the program that measures has ended. */
bool tuner_measure(NestTuner *t, const NestShape *shapes, int nshapes, int least, FormTimes *forms, int n, FormsInput *in);

/* Makes library number so much as the profile says, with such forms of a nest besides the planned one (NULL: of none), and loads it. False
 * when that is all. */
bool tuner_load_library(NestTuner *t, const Profile *profile, const NestForms *forms, int number);

/* The same of t->profile, as number 0. */
bool tuner_load(NestTuner *t, const NestForms *forms);

/* Searches nest number `nest` of operator number `op`, and puts its line into the profile, and
 * one for each class of calls that another configuration makes CLASS_WORTH (tune/nests/class_choice.h) times as fast. False when that is all. */
bool search_nest(NestTuner *t, int op, HostNest *nest, const NestSpace *space);

#endif
