/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The micro-kernels of a file with the curves of their cost model, and how far calls are from what the machine gives by the same numbers. */
#ifndef MIKGEN_GEN_REPORT_REPORT_KERNELS_H
#define MIKGEN_GEN_REPORT_REPORT_KERNELS_H

#include <jansson.h>

#include "gen/driver/options.h"

/* Of a model (emit/model.h): [{"family", "isa", "lanes", "registers", "peak" (multiply-adds count twice: per nanosecond), "read" (nanoseconds of a
 * byte from memory), "kernels": [{"name", "sums", "registers", "ns": of the most steps, "rate"}], "curves": SVG}]. */
json_t *report_kernels(Arena *arena, const json_t *model);

/* Rooflines of the families that the calls' products use, on the instruction sets they use: [{"title", "picture": SVG}]. */
json_t *report_rooflines(Arena *arena, const json_t *kernels, const json_t *calls);

/* Where the numbers come from, in a sentence. */
const char *report_origin(Arena *arena, const PlannerOptions *planner, bool cuda);

#endif
