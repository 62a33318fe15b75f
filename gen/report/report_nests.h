/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What became of a spec's nests, as data for templates/report. */
#ifndef MIKGEN_GEN_REPORT_REPORT_NESTS_H
#define MIKGEN_GEN_REPORT_REPORT_NESTS_H

#include <jansson.h>

#include "gen/driver/program.h"
#include "gen/front/spec.h"

/* An operator: {"name", "declaration", "remarks": [{"line", "kind", "text", "of_nest"}], "products": [{"stem", "line", "what", "family", "dims":
 * [{"role", "var", "from", "step", "count"}], "extents": {"batch", "m", "n", "k"}, "a", "b", "c", "reads": {"a", "b"}, "end"}],
 * "nests": [{"stem", "line", "threads", "rows": [loop, line, template, vectors, lanes, ...]}], "grids" (report_device.h), "groups": [{"kind", "line",
 * "stages"}]}. */
json_t *report_operator(Ir *ir, const Plan *plan, bool cuda);

/* The specs' texts: [{"name", "lines": [{"number", "text", "kind": of the remark that is about it, or ""}]}]. */
json_t *report_sources(Ir *ir, const InputOptions *in, const SpecText *specs, const Program *program);

#endif
