/* SPDX-License-Identifier: GPL-3.0-or-later */
/* How long a call takes, roughly, at a shape: from the plan, with nothing measured. */
#ifndef MIKGEN_GEN_DRIVER_SHAPE_WORK_H
#define MIKGEN_GEN_DRIVER_SHAPE_WORK_H

#include "ir/sym_map.h"
#include "plan/plan.h"

/* An expression over scalars with known values: double *, by symbol id. NAN: it is of something else, too. */
double shape_number(const Node *n, const Map *values);

/* Nanoseconds of one thread: of the products and loops that the operator's body runs there. The body's own scalars go to `values`. */
double shape_work(Ir *ir, const Plan *plan, Map *values);

#endif
