/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Reads, rewrites and prints the functions of a file, or says what would be done. */
#include "gen/keep.h"

#include <string.h>

#include "emit/kept_text.h"
#include "gen/explain_licm.h"
#include "gen/front/source.h"
#include "gen/driver/pipeline.h"
#include "gen/driver/system_headers.h"
#include "ir/print.h"

/* The file's text with each body replaced by what became of it. */
static void splice(Arena *arena, const Source *source, Keep *keep, Text *out)
{
    Text text;
    text_init(&text, arena);
    size_t done = 0;
    for (int i = 0; i < source->functions.count; i++) {
        const KeptFunc *f = source->functions.items[i];
        text_puts(&text, arena_strndup(arena, source->text + done, f->body.beg - 1 - done));
        text_puts(&text, keep_body(keep, i));
        done = f->body.end - 1;
    }
    text_puts(&text, arena_strndup(arena, source->text + done, source->len - done));
    if (keep_declares_bool(keep) && !source->cuda && !source->has_bool && !source->other_bool)
        text_puts(out, "#include <stdbool.h>\n");
    text_puts(out, text.data);
}

Source *keep_source(Ir *ir, const Options *opt, const SpecText *text)
{
    Vec system = opt->system_includes, versions = {0};
    const bool cuda = source_is_cuda(text->name, text->text);
    if (cuda ? !toolkit_headers(ir->arena, opt, &system, &versions) : !system_headers(ir->arena, opt, &system))
        return NULL;
    SourceOptions how = {.cuda = cuda,
                         .versions = &versions,
                         .definitions = &opt->definitions,
                         .includes = &opt->includes,
                         .system = &system,
                         .hints = &opt->hints,
                         .remarks = opt->remarks,
                         .included = text->included};
    return source_parse(ir, text->name, text->text, text->len, &how);
}

bool keep_run(Ir *ir, const Options *opt, const SpecText *text, Outputs *outputs)
{
    Source *source = keep_source(ir, opt, text);
    if (!source)
        return false;
    if (opt->emit == EMIT_IR && opt->has_emit) {
        Text trees;
        text_init(&trees, ir->arena);
        print_source(&trees, source);
        outputs_add(outputs, opt->output, &trees);
        return true;
    }
    Keep *keep = keep_new(ir, source);
    Options with_notes = *opt;
    Vec notes = {0};
    if (opt->explain_licm)
        with_notes.licm.notes = &notes;
    if (!pipeline_keep(ir, &with_notes, source))
        return false;
    Text out;
    text_init(&out, ir->arena);
    if (opt->explain_licm)
        explain_licm(ir, keep, &notes, &out);
    else
        splice(ir->arena, source, keep, &out);
    outputs_add(outputs, opt->output, &out);
    return true;
}
