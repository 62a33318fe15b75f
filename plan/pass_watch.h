/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Who looks at the tree behind each row of plan/passes.def: the verifier, and --dump-after. */
#ifndef MIKGEN_PLAN_PASS_WATCH_H
#define MIKGEN_PLAN_PASS_WATCH_H

#include "ir/node.h"
#include "ir/sym_map.h"

typedef struct PassWatch {
    unsigned form;    /* TreeForm (ir/check.h): what holds of all trees by now */
    Map *verified;    /* by a body's id: the form that it has been verified for */
    const char *dump; /* the step behind which functions are printed; NULL: none */
    Text *out;        /* there */
} PassWatch;

/* Verifies a function behind a row, of which `form` must hold besides, unless its body is as it was. A fault is an internal error. */
void watch_check(Ir *ir, const PassWatch *watch, const char *row, const Func *f, unsigned form);

/* Behind a step of a planner: the same, and prints the function if it is asked for. NULL: nobody looks. */
void watch_step(Ir *ir, const PassWatch *watch, const char *step, const Func *f, unsigned form);

#endif
