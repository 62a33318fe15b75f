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

static char *skip_spaces(char *at) { return at + strspn(at, " \t"); }

/* The directive whose `#` stands at `at`; NULL if none does. */
static char *directive_at(char *at) { return *at == '#' ? skip_spaces(at + 1) : NULL; }

/* Behind what only C++ sees: from an #ifdef __cplusplus to its #else or #endif. */
static char *skip_cplusplus(char *at)
{
    char *word = directive_at(at);
    if (!word || strncmp(word, "ifdef", 5) != 0 || strncmp(skip_spaces(word + 5), "__cplusplus", 11) != 0)
        return at;
    int depth = 0;
    for (char *line = at; (line = strchr(line, '\n'));) {
        line = skip_spaces(line + 1);
        if (!(word = directive_at(line)))
            continue;
        if (!depth && (strncmp(word, "endif", 5) == 0 || strncmp(word, "el", 2) == 0))
            return line;
        depth += strncmp(word, "if", 2) == 0 ? 1 : strncmp(word, "endif", 5) == 0 ? -1 : 0;
    }
    return at;
}

/* What is no C to be read, if it begins at `at`. */
static char *skip_unread(char *at)
{
    char *behind = skip_quoted(at);
    return behind != at ? behind : skip_cplusplus(at);
}

/* The brace that closes the one in front of `at`; NULL if none does. */
static char *closing_brace(char *at)
{
    for (int depth = 1; *at;) {
        char *behind = skip_unread(at);
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
        char *behind = skip_unread(at);
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

/* Behind three such characters, the third of which may stand apart, as nvcc has it; NULL: there are none. */
static char *behind_three(char *at, const char *two)
{
    if (strncmp(at, two, 2) != 0)
        return NULL;
    at = skip_blanks(at + 2);
    return *at == *two ? at + 1 : NULL;
}

/* `<<<grid, block>>>` becomes blanks: a launch is read as a call. Where each stands goes to `launches` (Loc *), unless that is NULL. */
static void blank_launches(Arena *arena, char *text, Vec *launches)
{
    for (char *at = text; *at;) {
        char *behind = skip_quoted(at), *from = at, *end = NULL;
        if (behind != at) {
            at = behind;
            continue;
        }
        int depth = 0;
        char *inside = behind_three(at, "<<");
        at = inside ? inside : at + 1;
        for (; inside && *at && (depth || !(end = behind_three(at, ">>"))); at++)
            depth += *at == '(' ? 1 : *at == ')' ? -1 : 0;
        if (!end)
            continue;
        at = end;
        blank(from, at);
        if (!launches)
            continue;
        Loc *loc = arena_new_array(arena, Loc, 1);
        *loc = (Loc){(uint32_t)(from - text) + 1, (uint32_t)(at - text) + 1};
        vec_push(arena, launches, loc);
    }
}

void source_blank_launches(char *text) { blank_launches(NULL, text, NULL); }

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
