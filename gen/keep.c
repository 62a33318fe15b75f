/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Reads, rewrites and prints the functions of a file, or says what would be done. */
#include "gen/keep.h"

#include <string.h>

#include "emit/kept_text.h"
#include "gen/driver/as_compiled.h"
#include "gen/explain_licm.h"
#include "gen/front/source.h"
#include "gen/driver/pipeline.h"
#include "ir/print.h"

/* #line of the file's first line. */
static void put_first_line(const Source *source, Text *out)
{
    text_puts(out, "#line 1 \"");
    for (const char *p = source->name; *p; p++)
        text_printf(out, strchr("\"\\", *p) ? "\\%c" : "%c", *p);
    text_puts(out, "\"\n");
}

static void put_slice(const Source *source, size_t from, size_t to, Text *out) { text_putn(out, source->text + from, to - from); }

/* The file's text with each body replaced by what became of it. With line markers, and in CUDA, bodies that no pass changed stay. */
static void splice(Arena *arena, const Source *source, Keep *keep, bool marks_lines, Text *out)
{
    Text text;
    text_init(&text, arena);
    size_t done = 0;
    for (int i = 0; i < source->functions.count; i++) {
        const KeptFunc *f = source->functions.items[i];
        if ((marks_lines || source->cuda) && !keep_is_changed(keep, i))
            continue;
        put_slice(source, done, f->body.beg - 1, &text);
        text_puts(&text, keep_body(keep, i));
        done = f->body.end - 1;
    }
    put_slice(source, done, source->len, &text);
    if (marks_lines)
        put_first_line(source, out);
    else if (keep_declares_bool(keep) && !source->cuda && !source->has_bool && !source->other_bool)
        text_puts(out, "#include <stdbool.h>\n");
    text_putn(out, text.data, text.size);
}

Source *keep_source(Ir *ir, const Options *opt, const SpecText *text)
{
    SourceOptions how;
    return source_options(ir->arena, opt, text, source_is_cuda(text->name, text->text), &how)
               ? source_parse(ir, text->name, text->text, text->len, &how)
               : NULL;
}

/* On standard error: what moved, what stayed and why. */
static void put_remarks(Ir *ir, const Keep *keep, const Vec *notes)
{
    for (int i = 0; i < notes->count; i++)
        explain_licm_remark(ir, keep, notes->items[i]);
}

bool keep_text(Ir *ir, const Options *opt, const SpecText *text, Text *out, KeepSummary *summary)
{
    Source *source = keep_source(ir, opt, text);
    if (!source)
        return false;
    if (opt->emit.what == EMIT_IR && opt->emit.is_given) {
        print_source(out, source);
        return true;
    }
    Keep *keep = keep_new(ir, source);
    Options with_notes = *opt;
    Vec notes = {0};
    if (opt->look.explain_licm || opt->look.remarks)
        with_notes.licm.notes = &notes;
    if (!pipeline_keep(ir, &with_notes, source))
        return false;
    if (opt->source.line_markers)
        keep_mark_lines(keep);
    if (opt->look.remarks)
        put_remarks(ir, keep, &notes);
    if (opt->look.explain_licm)
        explain_licm(ir, keep, &notes, out);
    else
        splice(ir->arena, source, keep, opt->source.line_markers, out);
    *summary = (KeepSummary){.functions = source->functions.count, .left = source->left, .moves_badly = source->moves_badly};
    for (int i = 0; i < source->functions.count; i++)
        summary->changed += keep_is_changed(keep, i);
    return true;
}

bool keep_run(Ir *ir, const Options *opt, const SpecText *text, Outputs *outputs)
{
    Text out;
    KeepSummary summary;
    text_init(&out, ir->arena);
    if (!keep_text(ir, opt, text, &out, &summary))
        return false;
    outputs_add(outputs, opt->out.file, &out);
    return true;
}
