/* The page of --report: collects what a run of `mikgen tune` measures of nests. */
#ifndef MIKGEN_GEN_TUNE_REPORT_H
#define MIKGEN_GEN_TUNE_REPORT_H

#include "gen/options.h"
#include "plan/profile/profile.h"
#include "tune/measure_forms.h"
#include "tune/report.h"

typedef struct TuneReport {
    Arena *arena;
    const char *path; /* NULL: there is no page, and nothing is collected */
    Report page;
    ReportNest *nest; /* that is searched */
} TuneReport;

/* Writes a page that says nothing yet, so that a wrong path shows before anything is measured. False after a message. */
bool tune_report_begin(Arena *arena, const Options *opt, TuneReport *report);

/* The nest that is searched from here on. planned_ns: by shape, read whenever the page is written. */
void tune_report_nest(TuneReport *report, const HostNest *nest, VectorSetId set, int64_t size, const NestShape *shapes, int nshapes,
                      const double *planned_ns);

/* A configuration that was measured. predicted: its speed, NAN if nothing was; again: it had been measured before; rows: what predictor_rows()
 * of tune/nests/predict.h has of it, NULL if nobody asked. */
void tune_report_trial(TuneReport *report, const NestKnobs *knobs, const double *rows, double predicted, double measured, bool again);

/* What is chosen in the end; speed: 1 if it stays as planned. */
void tune_report_chosen(TuneReport *report, const NestKnobs *knobs, double speed);

/* Writes the page as far as it is known; profile: whose comment tells the machine. False after a message. */
bool tune_report_save(TuneReport *report, const Profile *profile);

#endif
