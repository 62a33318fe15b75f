/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What is done with an operator behind each pass: its trees are verified, and printed for --dump-after. */
#ifndef MIKGEN_GEN_DRIVER_BETWEEN_PASSES_H
#define MIKGEN_GEN_DRIVER_BETWEEN_PASSES_H

#include "gen/driver/pipeline.h"

/* Verifies every tree of `op`, of which `f` is the function itself, behind `pass`; a fault is an internal error that names it. */
void check_operator(Ir *ir, const Operator *op, Func *f, const char *pass, const PassWatch *watch);

/* Appends them as text, with tables of what is planned. */
void dump_operator(Ir *ir, const Operator *op, Func *f, const PlanOptions *opt, const char *pass, Text *out);

#endif
