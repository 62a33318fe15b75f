/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What normalize and licm do to a program's functions, side by side. */
#ifndef MIKGEN_GEN_REPORT_REPORT_PASSES_H
#define MIKGEN_GEN_REPORT_REPORT_PASSES_H

#include <jansson.h>

#include "ir/arena.h"

/* Of an operator's model (emit/model.h) before normalize, after it, and after licm: [{"name", "steps": [{"name", "changed", "rows": [{"kind",
 * "left", "right": pieces of a line, or null}]}]}], of functions that either pass changes. "kind": "same", "changed", "gone" or "new". A piece:
 * {"text", "moved": number of what has moved, or 0, "differs"}. */
json_t *report_functions(Arena *arena, const json_t *before, const json_t *normalized, const json_t *hoisted);

#endif
