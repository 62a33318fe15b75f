/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Reads a kept file: Clang first, then the parts of the text that belong to each function. */
#include "gen/front/source.h"

#include <string.h>

#include "gen/front/faults.h"
#include "gen/front/source_prelude.h"
#include "gen/front/spec.h"
#include "gen/front/wishes.h"

static bool is_word_char(char c) { return c == '_' || (c >= '0' && c <= '9') || (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z'); }

/* The text between `at` and the end of the comment, string or character that begins there; `at` if none does. */
static char *skip_quoted(char *at)
{
    if (at[0] == '/' && at[1] == '/') {
        char *end = strchr(at, '\n');
        return end ? end : at + strlen(at);
    }
    if (at[0] == '/' && at[1] == '*') {
        char *end = strstr(at + 2, "*/");
        return end ? end + 2 : at + strlen(at);
    }
    if (*at != '"' && *at != '\'')
        return at;
    char quote = *at++;
    while (*at && *at != quote && *at != '\n')
        at += at[0] == '\\' && at[1] ? 2 : 1;
    return *at ? at + 1 : at;
}

static char *skip_blanks(char *at)
{
    for (;; at++) {
        while (at[0] == '/' && (at[1] == '/' || at[1] == '*'))
            at = skip_quoted(at);
        if (!*at || !strchr(" \t\r\n", *at))
            return at;
    }
}

static void blank(char *from, const char *to)
{
    for (; from < to; from++)
        if (*from != '\n')
            *from = ' ';
}

/* The brace that closes the one in front of `at`; NULL if none does. */
static char *closing_brace(char *at)
{
    for (int depth = 1; *at;) {
        char *behind = skip_quoted(at);
        if (behind != at) {
            at = behind;
            continue;
        }
        depth += *at == '{' ? 1 : *at == '}' ? -1 : 0;
        if (depth == 0)
            return at;
        at++;
    }
    return NULL;
}

/* `extern "C"` and the braces of its block become blanks: the text is read as C. */
static void blank_linkage(char *text)
{
    for (char *at = text; *at;) {
        char *behind = skip_quoted(at);
        if (behind != at) {
            at = behind;
            continue;
        }
        char *word = at;
        while (is_word_char(*at))
            at++;
        if (at == word) {
            at++;
            continue;
        }
        char *language = skip_blanks(at);
        if (at - word != 6 || strncmp(word, "extern", 6) != 0 || strncmp(language, "\"C\"", 3) != 0)
            continue;
        at = language + 3;
        char *open = skip_blanks(at);
        blank(word, at);
        char *close = *open == '{' ? closing_brace(open + 1) : NULL;
        if (close)
            *open = *close = ' ';
    }
}

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

Source *source_parse(Ir *ir, const char *name, const char *text, size_t len, const SourceOptions *opt)
{
    Kept kept = {.options = opt};
    Front front = {
        .ir = ir, .len = len, .kept = &kept, .folder = folder_of(ir->arena, name), .folders = opt->includes, .included = opt->included};
    if (!front_takes(&front, text, len))
        return NULL;
    char *readable = arena_strndup(ir->arena, text, len);
    blank_linkage(readable);
    front.text = readable;
    bool cuda = opt->cuda || says_word(text, "__global__") || says_word(text, "__device__");
    front.has_system = opt->system->count && !cuda;
    for (bool again = true; again;) {
        bool has_min = kept.wants_min, has_max = kept.wants_max;
        front.prelude = source_prelude(ir->arena, cuda, front.has_system, has_min, has_max);
        if (opt->predefined)
            front.prelude = arena_printf(ir->arena, "%s%s", opt->predefined, front.prelude);
        front.faults = front.pragmas = kept.definitions = kept.hidden = kept.changed = kept.indices = kept.left = (Vec){0};
        kept.source = source_new(ir, name, text, len, cuda);
        front_run(&front);
        again = kept.wants_min != has_min || kept.wants_max != has_max;
    }
    front_report(&front);
    if (!diag_errors(ir->diag))
        apply_promises(&front);
    if (!diag_errors(ir->diag))
        front_report_left(&front);
    kept.source->left = kept.left.count;
    kept.source->moves_badly = kept.moves_badly;
    return diag_errors(ir->diag) ? NULL : kept.source;
}
