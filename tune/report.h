/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What a search has measured, as a page for people: which configuration was chosen and what it gains, how soon good ones were found, how
 * far predictions were right, what the best have in common. Speeds are how many times as fast as planned. */
#ifndef MIKGEN_TUNE_REPORT_H
#define MIKGEN_TUNE_REPORT_H

#include <stdbool.h>
#include <stdint.h>

#include "ir/arena.h"

/* A configuration that was measured. */
typedef struct ReportTrial {
    const char *const *knobs; /* the value of each; NULL: as planned */
    double predicted;         /* speed; NAN: nothing was predicted */
    double measured;          /* speed; 0: it does not run */
    const double *features;   /* NULL: none */
    bool again;               /* measured once more than others, to be sure */
} ReportTrial;

/* Calls that have a configuration of their own. */
typedef struct ReportClass {
    const char *name, *what;  /* "fits a core's cache" */
    const char *const *knobs; /* as ReportTrial.knobs */
    double gain;              /* how many times as fast as what is chosen for all */
} ReportClass;

typedef struct ReportNest {
    const char *name;
    const char *record;              /* how its line of the profile begins */
    int64_t size;                    /* configurations in its space */
    const char *const *shapes;       /* extents */
    const double *planned_ns;        /* what a call took as planned, by shape; 0: unknown */
    int nshapes;
    const char *const *knob_names;
    int nknobs;
    const char *const *feature_names;
    int nfeatures;
    Vec trials;                      /* ReportTrial *, in the order in which they were measured */
    const char *const *chosen;       /* as ReportTrial.knobs; NULL: the search was not finished */
    double speed;                    /* of what is chosen; 1: it stays as planned */
    Vec classes;                     /* ReportClass *, besides what is chosen */
} ReportNest;

typedef struct Report {
    const char *spec;    /* its name, or those of several */
    const char *machine; /* a line about it and the compiler; NULL: unknown */
    Vec nests;           /* ReportNest * */
} Report;

/* What came of all nests, in one line. Arena-owned. */
const char *report_headline(Arena *arena, const Report *report);

/* A line for each nest, of twenty at most, and for each class of calls that has something of its own, indented; "" without nests. Arena-owned. */
const char *report_verdict(Arena *arena, const Report *report);

/* One page of HTML, which is also well-formed XML: nothing outside of it is needed, no script, no network. The same for the same report.
 * Arena-owned. */
const char *report_page(Arena *arena, const Report *report);

#endif
