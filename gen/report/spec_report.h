/* SPDX-License-Identifier: GPL-3.0-or-later */
/* mikgen --report=DIR SPEC...: one page about specs and what becomes of them. */
#ifndef MIKGEN_GEN_REPORT_SPEC_REPORT_H
#define MIKGEN_GEN_REPORT_SPEC_REPORT_H

#include "gen/driver/program.h"
#include "gen/front/spec.h"

/* Writes DIR/index.html atomically; DIR is made if it is not there. `program`, of the texts, has been through all passes, with
 * remarks; `licm_notes`: what licm said of it, a line each. False after messages. */
typedef struct SpecReport {
    Ir *ir;
    const Options *opt;        /* with profiles */
    const SpecText *specs;
    const Program *program;
    const char *licm_notes;
    /* The program once more, in an Ir of its own, after `pass`; false after messages. */
    bool (*after)(const struct SpecReport *report, const char *pass, Ir **ir, Program *program);
} SpecReport;

bool spec_report_write(const SpecReport *report);

#endif
