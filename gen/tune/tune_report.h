/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The page of --report: collects what a run of `mikgen tune` measures of nests. */
#ifndef MIKGEN_GEN_TUNE_TUNE_REPORT_H
#define MIKGEN_GEN_TUNE_TUNE_REPORT_H

#include "gen/driver/options.h"
#include "plan/profile/profile.h"
#include "tune/measure_forms.h"
#include "tune/report.h"

typedef struct TuneReport {
    Arena *arena;
    const char *path; /* NULL: there is no page */
    Report page;
    ReportNest *nest; /* that is searched */
    const char *device; /* a line about the GPU that is measured; NULL: what the profile says of the processor */
    Vec notes;          /* const char *: what else was chosen */
    bool is_short;      /* seconds ended it, not that all was measured */
} TuneReport;

/* The words of NestKnobs, by number. Arena-owned. */
const char *const *knob_names(Arena *arena);

/* Writes a page that says nothing yet, so that a wrong path shows before anything is measured. False after a message. */
bool tune_report_begin(Arena *arena, const Options *opt, TuneReport *report);

/* The last lines of a run, on stderr: what is faster by how much, where that is written, how it is used. before: the profile's text when the
 * run began. */
void tune_report_end(const TuneReport *report, const Options *opt, const char *before, const Profile *profile);

/* The nest that is searched from here on. planned_ns: by shape, read whenever the page is written. */
void tune_report_nest(TuneReport *report, const HostNest *nest, VectorSetId set, int64_t size, const NestShape *shapes, int nshapes,
                      const double *planned_ns);

/* A configuration that was measured. predicted: its speed, NAN if nothing was; again: it had been measured before; numbers: what predictor_numbers()
 * of tune/nests/predict.h has of it, NULL if nobody asked. */
void tune_report_trial(TuneReport *report, const NestKnobs *knobs, const double *numbers, double predicted, double measured, bool again);

/* What is chosen in the end; speed: 1 if it stays as planned. */
void tune_report_chosen(TuneReport *report, const NestKnobs *knobs, double speed);

/* What is chosen for calls of a class alone; gain: how many times as fast as what is chosen for all. After tune_report_chosen(). */
void tune_report_class(TuneReport *report, ShapeClass shape, const NestKnobs *knobs, double gain);

/* The same for a nest on a GPU, which is called `name`; features: by DeviceFeature. */
void tune_report_grid(TuneReport *report, const char *name, const DeviceNest *nest, int gpu, int64_t size, const NestShape *shapes,
                      int nshapes, const double *planned_ns);
void tune_report_grid_trial(TuneReport *report, const GridKnobs *knobs, const double *features, double predicted, double measured,
                            bool again);
void tune_report_grid_chosen(TuneReport *report, const GridKnobs *knobs, double speed);

/* Writes the page as far as it is known; profile: whose comment tells the machine, unless `device` does. False after a message. */
bool tune_report_save(TuneReport *report, const Profile *profile);

#endif
