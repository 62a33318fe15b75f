/* SPDX-License-Identifier: GPL-3.0-or-later */
/* libFuzzer: any bytes as a file of C or CUDA through source-to-source mode, with the headers that are built in, and its functions as
 * specs. A crash, a sanitizer's report and an "internal error" (which exits) are findings; so is a result that is refused when it is
 * rewritten in its turn, or that changes once more. */
#include <stdio.h>
#include <string.h>

#include "gen/front/extract.h"
#include "gen/keep.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

typedef struct Setting {
    FILE *messages;
    Options opt;
} Setting;

static const Setting *setting(void)
{
    static Setting s;
    static Vec none; /* folders: as of a compiler that has none of its own */
    static const char *const argv[] = {"mikgen", "--keep-loops", "fuzz.c", NULL};
    if (s.messages)
        return &s;
    s.messages = fopen("/dev/null", "w");
    if (options_parse(arena_new(), sizeof argv / sizeof *argv - 1, (char **)argv, &s.opt) != PARSE_RUN)
        internal_error("the options are refused");
    s.opt.source.quoted = s.opt.source.folders = &none;
    return &s;
}

/* False: refused. */
static bool run(Arena *arena, const char *text, size_t size, Text *out)
{
    const Setting *s = setting();
    KeepSummary summary;
    const SpecText source = {.name = "fuzz.c", .text = text, .len = size};
    text_init(out, arena);
    return keep_text(ir_new(arena, diag_new(arena, source.name, text, size, s->messages)), &s->opt, &source, out, &summary);
}

/* Every function with a loop as a spec, or what stands against it. */
static void extract(Arena *arena, const char *text, size_t size)
{
    static const Vec none;
    const SourceOptions how = {.definitions = &none, .includes = &none, .system = &none, .hints = &none};
    const ExtractOptions all = {.extents = &none, .constants = &none};
    Ir *ir = ir_new(arena, diag_new(arena, "fuzz.c", text, size, setting()->messages));
    Vec functions = {0};
    if (!extract_parse(ir, "fuzz.c", text, size, &how, &all, &functions))
        return;
    for (int i = 0; i < functions.count; i++) {
        const Extracted *one = functions.items[i];
        if (!one->text)
            extract_report(ir, one);
    }
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    Arena *arena = arena_new();
    Text once, again;
    char *text = arena_alloc(arena, size + 1);
    memcpy(text, data, size);
    if (run(arena, text, size, &once)) {
        if (!run(arena, once.data, once.size, &again))
            internal_error("what has been rewritten is refused");
        if (once.size != again.size || memcmp(once.data, again.data, once.size) != 0)
            internal_error("what has been rewritten changes once more");
        extract(arena, text, size);
    }
    arena_free(arena);
    return 0;
}
