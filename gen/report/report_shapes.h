/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The calls whose plans a report shows. */
#ifndef MIKGEN_GEN_REPORT_REPORT_SHAPES_H
#define MIKGEN_GEN_REPORT_REPORT_SHAPES_H

#include "gen/front/spec.h"
#include "gen/picture/calls.h"

/* Requests of all operators, one after the other: of --shapes=FILE (gen/driver/nest_shapes.h), else about a dozen for each: three sizes, and the
 * middle one with an extent that is 1, one more, or four times as large; extents with a hint stay within it. *n: how many. NULL after a located
 * message. Owned by the Ir's arena. */
CallRequest *report_shapes(Ir *ir, const Options *opt, const SpecText *specs, const Program *program, int *n);

#endif
