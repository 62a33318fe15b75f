/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What a page says of CUDA files alone: micro-kernels and how fast they are on the device that plans are for, how far calls are from what it gives,
 * launches of loops. */
#ifndef MIKGEN_GEN_REPORT_REPORT_DEVICE_H
#define MIKGEN_GEN_REPORT_REPORT_DEVICE_H

#include <jansson.h>

#include "plan/plan.h"

/* Of a model (emit/model.h) and calls (gen/picture/calls.h), which say for what device: [{"stem", "family", "peak" (operations per picosecond of
 * the whole device), "multiprocessors", "kernels": [{"name", "tile", "step", "threads", "blocks": on a multiprocessor, "registers": of a thread at
 * most, "shared", "fixed_ns", "rate"}], "curves": SVG}]; none without a call. */
json_t *report_device_kernels(Arena *arena, const json_t *model, const json_t *calls);

/* Of the families that the calls' products use: [{"title", "peak", "bandwidth", "picture": SVG}]. */
json_t *report_device_rooflines(Arena *arena, const json_t *kernels, const json_t *calls);

/* [{"stem", "line", "forms": ways to run it, "along": [{"axis", "loops"}], "ordered": phrases}] */
json_t *report_device_nests(Ir *ir, const Plan *plan);

#endif
