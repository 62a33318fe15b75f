/* SPDX-License-Identifier: GPL-3.0-or-later */
/* libFuzzer: any bytes as a spec, through the front end and every pass, for both targets. A crash, a sanitizer's
 * report and an "internal error" (which exits) are all findings. Seeds: tests/specs, tests/golden. */
#include <stdio.h>

#include "gen/front/spec.h"
#include "gen/driver/pipeline.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static void run(const char *text, size_t size, const char *target, FILE *messages)
{
    Arena *arena = arena_new();
    Ir *ir = ir_new(arena, diag_new(arena, "fuzz.spec", text, size, messages));
    Unit *unit = spec_parse(ir, "fuzz.spec", text, size);
    Options opt = {.target = target, .prefix = "", .licm = LICM_DEFAULTS};
    Program program;
    Text dump;
    text_init(&dump, arena);
    if (unit)
        pipeline_run(ir, &opt, unit, &program, &dump);
    arena_free(arena);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    static FILE *messages;
    if (!messages)
        messages = fopen("/dev/null", "w");
    if (!messages)
        return 0;
    run((const char *)data, size, "c", messages);
    run((const char *)data, size, "cuda", messages);
    return 0;
}
