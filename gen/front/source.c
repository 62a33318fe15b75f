/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Reads a kept file: Clang first, then the parts of the text that belong to each function. */
#include "gen/front/source.h"

#include <string.h>

#include "gen/front/faults.h"
#include "gen/front/text/blanks.h"
#include "gen/front/text/source_prelude.h"
#include "gen/front/wishes.h"

static bool says_word(const char *text, const char *word)
{
    size_t len = strlen(word);
    for (const char *at = text; (at = strstr(at, word)); at += len)
        if ((at == text || !is_word_char(at[-1])) && !is_word_char(at[len]))
            return true;
    return false;
}

static Source *source_new(Ir *ir, const char *name, const char *text, size_t len, bool cuda)
{
    Source *source = arena_new_array(ir->arena, Source, 1);
    source->name = name;
    source->text = text;
    source->len = len;
    source->cuda = cuda;
    return source;
}

bool source_is_cuda(const char *name, const char *text)
{
    const size_t len = strlen(name);
    return (len > 3 && strcmp(name + len - 3, ".cu") == 0) || says_word(text, "__global__") || says_word(text, "__device__");
}

/* Reads the text once, and again with what it turns out to want. */
static void read_text(Front *front, Kept *kept, const char *name, const char *text, bool has_system)
{
    const SourceOptions *opt = kept->options;
    char *readable = arena_strndup(front->ir->arena, text, front->len);
    front->has_system = has_system;
    kept->launches = (Vec){0};
    if (!opt->cuda || !has_system) /* the toolkit's headers are read in C++ */
        blank_linkage(readable);
    if (opt->cuda)
        blank_launches(front->ir->arena, readable, &kept->launches);
    front->text = readable;
    for (bool again = true; again;) {
        bool has_min = kept->wants_min, has_max = kept->wants_max;
        front->prelude = source_prelude(front->ir->arena, opt->cuda, has_system, has_min, has_max);
        if (opt->predefined)
            front->prelude = arena_printf(front->ir->arena, "%s%s", opt->predefined, front->prelude);
        front->faults = front->pragmas = kept->definitions = kept->hidden = kept->placed = kept->counters = kept->changed = kept->indices =
            kept->left = kept->left_loops = kept->loops = (Vec){0};
        kept->source = source_new(front->ir, name, text, front->len, opt->cuda);
        front_run(front);
        again = kept->wants_min != has_min || kept->wants_max != has_max;
    }
}

void source_look(Ir *ir, const char *name, const char *text, size_t len, const SourceOptions *opt, Extraction *extract, Kept *kept,
                 Front *front)
{
    *kept = (Kept){.options = opt};
    *front = (Front){.ir = ir,
                     .len = len,
                     .kept = kept,
                     .extract = extract,
                     .folder = folder_of(ir->arena, name),
                     .folders = opt->includes,
                     .included = opt->included};
    if (!front_takes(front, text, len))
        return;
    const bool has_system = opt->cuda ? opt->versions->count : opt->system->count;
    read_text(front, kept, name, text, has_system);
    if (!opt->cuda || !has_system || !front->faults.count)
        return;
    read_text(front, kept, name, text, false); /* kernels in C's own words: `restrict` */
    if (front->faults.count)
        read_text(front, kept, name, text, true);
}

Source *source_parse(Ir *ir, const char *name, const char *text, size_t len, const SourceOptions *opt)
{
    Kept kept;
    Front front;
    source_look(ir, name, text, len, opt, NULL, &kept, &front);
    front_report(&front);
    if (!diag_errors(ir->diag))
        apply_promises(&front);
    if (diag_errors(ir->diag))
        return NULL;
    front_report_left(&front);
    if (opt->remarks)
        front_report_loops(&front);
    kept.source->left = kept.left.count;
    kept.source->moves_badly = kept.moves_badly;
    return kept.source;
}

void source_refuse_large(Ir *ir)
{
    Kept kept = {0};
    Front front = {.ir = ir, .kept = &kept};
    front_refuse(&front, R_KEEP_TOO_LARGE, (Loc){0, 0}, "");
    front_report(&front);
}
