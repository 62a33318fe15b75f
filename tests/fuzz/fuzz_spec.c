/* SPDX-License-Identifier: GPL-3.0-or-later */
/* libFuzzer: any bytes as a spec, through the front end, every pass and the model that templates get, for both targets. A crash, a
 * sanitizer's report and an "internal error" (which exits) are all findings. */
#include <stdio.h>
#include <string.h>

#include "emit/model.h"
#include "gen/driver/nest_choice.h"
#include "gen/driver/profiles.h"
#include "gen/driver/program.h"
#include "gen/front/spec.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

/* What runs have in common. Kernels are ranked by few problems: ranking does the same thing over and over. */
typedef struct Setting {
    FILE *messages;
    Options opt[2];                 /* of the C target and of CUDA */
    const Trees *models[SET_COUNT]; /* which try so many forms of loops that only one input in MODELS_ONE_OF has them */
} Setting;

enum { MODELS_ONE_OF = 16 };

static const Setting *setting(void)
{
    static Setting s;
    static const char *const targets[] = {"--target=c", "--target=cuda"};
    if (s.messages)
        return &s;
    Arena *arena = arena_new(); /* for good */
    s.messages = fopen("/dev/null", "w");
    for (int i = 0; i < 2; i++) {
        const char *argv[] = {"mikgen", targets[i], "--emit=plan", "--n-gen=2", "--n-syn=2", "--n-mik=2", "fuzz.spec", NULL};
        if (options_parse(arena, sizeof argv / sizeof *argv - 1, (char **)argv, s.opt + i) != PARSE_RUN ||
            !profiles_load(arena, &(s.opt + i)->planner, &s.opt[i].planner.kernels))
            internal_error("the options are refused");
    }
    models_read(arena, built_in_models, s.models);
    return &s;
}

/* False: the front end refuses it, which asks for no target. */
static bool run(const char *text, size_t size, const Options *opt, FILE *messages)
{
    Arena *arena = arena_new();
    Ir *ir = ir_new(arena, diag_new(arena, "fuzz.spec", text, size, messages));
    Unit *unit = spec_parse(ir, "fuzz.spec", text, size);
    Program program;
    Text out;
    text_init(&out, arena);
    if (unit && pipeline_run(ir, opt, unit, &program, &out))
        program_emit(ir, opt, &program, &out);
    arena_free(arena);
    return unit != NULL;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    const Setting *s = setting();
    unsigned sum = 0;
    for (size_t i = 0; i < size; i++)
        sum += data[i];
    bool accepted = true;
    for (int i = 0; i < 2 && accepted; i++) {
        Options opt = s->opt[i];
        if (sum % MODELS_ONE_OF == 0)
            memcpy(opt.planner.nest_models, s->models, sizeof s->models);
        accepted = run((const char *)data, size, &opt, s->messages);
    }
    return 0;
}
