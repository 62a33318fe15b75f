/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Says which function is wanted, and prints it or the list. */
#include "gen/extract_run.h"

#include <stdlib.h>
#include <string.h>

#include "gen/driver/as_compiled.h"
#include "gen/front/extract.h"

/* A line for each function with a loop. */
static void put_list(Ir *ir, const Vec *all, Text *out)
{
    for (int i = 0; i < all->count; i++) {
        const Extracted *one = all->items[i];
        int line, column;
        diag_line_column(ir->diag, one->loc, &line, &column);
        text_printf(out, "%s:%d: %s: %d loop%s, ", diag_name(ir->diag, one->loc), line, one->function, one->loops,
                    one->loops == 1 ? "" : "s");
        if (one->text) {
            text_puts(out, "can be a spec\n");
            continue;
        }
        const Loc at = extract_first_fault(one);
        diag_line_column(ir->diag, at, &line, &column);
        text_printf(out, "not as it is: line %d, %s\n", line, one->what);
    }
}

bool extract_run(Ir *ir, const Options *opt, const SpecText *text, Outputs *outputs)
{
    const bool lists = strcmp(opt->source.extract, "list") == 0;
    const char *colon = strchr(opt->source.extract, ':');
    Vec all = {0};
    SourceOptions how;
    if (!source_options(ir->arena, opt, text, false, &how))
        return false;
    const ExtractOptions options = {.function = lists ? NULL
                                                      : arena_strndup(ir->arena, opt->source.extract, strcspn(opt->source.extract, ":")),
                                    .line = colon ? atoi(colon + 1) : 0,
                                    .extents = &opt->source.extents,
                                    .constants = &opt->emit.constants};
    if (!extract_parse(ir, text->name, text->text, text->len, &how, &options, &all))
        return false;
    Text out;
    text_init(&out, ir->arena);
    if (lists) {
        put_list(ir, &all, &out);
    } else {
        const Extracted *one = all.items[0];
        if (!one->text) {
            extract_report(ir, one);
            return false;
        }
        text_puts(&out, one->text);
    }
    outputs_add(outputs, opt->out.file, &out);
    return true;
}
