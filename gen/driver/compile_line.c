/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Goes through the words once. Whatever is not known is an option without an argument of its own, as nearly all are. */
#include "gen/driver/compile_line.h"

#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "gen/driver/command_words.h"
#include "gen/driver/file.h"

/* Options whose argument may be the next word. */
static const char *const with_argument[] = {"-o",
                                            "-x",
                                            "-D",
                                            "-U",
                                            "-I",
                                            "-L",
                                            "-l",
                                            "-T",
                                            "-u",
                                            "-z",
                                            "-e",
                                            "-A",
                                            "-B",
                                            "-F",
                                            "-G",
                                            "-V",
                                            "-b",
                                            "-MF",
                                            "-MT",
                                            "-MQ",
                                            "-MJ",
                                            "-include",
                                            "-imacros",
                                            "-iquote",
                                            "-isystem",
                                            "-idirafter",
                                            "-iprefix",
                                            "-iwithprefix",
                                            "-iwithprefixbefore",
                                            "-isysroot",
                                            "-imultilib",
                                            "-imultiarch",
                                            "-Xpreprocessor",
                                            "-Xassembler",
                                            "-Xlinker",
                                            "-Xclang",
                                            "-mllvm",
                                            "-Tbss",
                                            "-Tdata",
                                            "-Ttext",
                                            "-aux-info",
                                            "-arch",
                                            "-target",
                                            "-wrapper",
                                            "-dumpbase",
                                            "-dumpbase-ext",
                                            "-dumpdir",
                                            "-framework",
                                            "-rpath",
                                            "--param",
                                            "--sysroot",
                                            "--output",
                                            "--include",
                                            "--define-macro",
                                            "--undefine-macro",
                                            "--include-directory",
                                            "--language",
                                            NULL};

/* Options with which the compiler does not compile, or where rewriting might be seen, and why; up to the sign * of any end. With those that are
 * `of_text` the text itself is read otherwise. */
static const struct {
    const char *option, *why;
    bool of_text;
} passing[] = {
    {"-E", "it only preprocesses", false},
    {"-M", "it only says what the source includes", false},
    {"-MM", "it only says what the source includes", false},
    {"-MG", "headers may not be there yet", false},
    {"-MJ*", "it writes a compilation database", false},
    {"-fsyntax-only", "it only checks the source", false},
    {"--analyze", "it only checks the source", false},
    {"-fanalyzer", "it is asked what it thinks of the source", false},
    {"-###", "it only shows commands", false},
    {"-v", "it shows what it does", false},
    {"-H", "it shows what the source includes", false},
    {"-ftime-report*", "it shows what it does", false},
    {"-fpreprocessed", "the source is preprocessed", true},
    {"-fdirectives-only", "the source is preprocessed", true},
    {"-traditional*", "the language is older than C", true},
    {"-emit-*", "it makes something else than code", false},
    {"-fmodules*", "modules are no text", true},
    {"-fwrapv*", "signed arithmetic may overflow", true},
    {"-fno-strict-overflow", "signed arithmetic may overflow", true},
    {"-fnon-call-exceptions", "arithmetic may throw", true},
    {"-fopenacc", "OpenACC is not known", true},
    {"-arch", "it compiles for several processors", true},
    {"-wrapper", "it is run by another program", false},
    {NULL, NULL, false},
};

static bool starts_with(const char *word, const char *with) { return strncmp(word, with, strlen(with)) == 0; }

static bool ends_with(const char *word, const char *end)
{
    const size_t n = strlen(word), m = strlen(end);
    return n > m && strcmp(word + n - m, end) == 0;
}

static bool is_one_of(const char *word, const char *const *list)
{
    for (; *list; list++)
        if (strcmp(word, *list) == 0)
            return true;
    return false;
}

static const char *base_of(const char *path)
{
    const char *slash = strrchr(path, '/');
    return slash ? slash + 1 : path;
}

/* What is known of the line while its words are read. */
typedef struct Reading {
    Arena *arena;
    CompileLine *line;
    const char *language; /* of -x, or NULL: as files end */
    const char *out, *rules; /* of -o and -MF */
    bool makes_rules; /* -MD or -MMD */
} Reading;

static void passes(Reading *r, const char *why)
{
    if (!r->line->passes)
        r->line->passes = why;
}

/* @FILE, as gcc reads it: a word that names no file stays. */
static void add_word(Arena *arena, const char *word, int depth, Vec *words)
{
    enum { LIMIT = 1 << 24, DEPTH = 16 };
    struct stat st;
    size_t len;
    if (word[0] == '@' && depth < DEPTH && stat(word + 1, &st) == 0 && S_ISREG(st.st_mode)) {
        Vec inside = {0};
        const char *text = file_read(arena, word + 1, LIMIT, &len);
        if (text && !words_split(arena, text, &inside)) {
            for (int i = 0; i < inside.count; i++)
                add_word(arena, inside.items[i], depth + 1, words);
            return;
        }
    }
    vec_push(arena, words, (void *)word);
}

static void read_option_of_passing(Reading *r, const char *word)
{
    for (int i = 0; passing[i].option; i++) {
        const size_t len = strcspn(passing[i].option, "*");
        const bool any = passing[i].option[len] != 0;
        if (any ? strncmp(word, passing[i].option, len) == 0 : strcmp(word, passing[i].option) == 0) {
            passes(r, passing[i].why);
            r->line->other_text = passing[i].of_text ? passing[i].why : r->line->other_text;
        }
    }
}

/* "-Wp,-MD,x.d": what it is for the preprocessor. */
static void read_preprocessor_words(Reading *r, const char *list)
{
    Vec words = {0};
    char *copy = arena_strndup(r->arena, list, strlen(list));
    for (char *word = strtok(copy, ","); word; word = strtok(NULL, ","))
        vec_push(r->arena, &words, word);
    for (int i = 0; i < words.count; i++) {
        const char *word = words.items[i];
        const bool has_next = i + 1 < words.count;
        if ((strcmp(word, "-MD") == 0 || strcmp(word, "-MMD") == 0 || strcmp(word, "-MF") == 0) && has_next)
            vec_push(r->arena, &r->line->depfiles, words.items[++i]);
        else if ((strcmp(word, "-MT") == 0 || strcmp(word, "-MQ") == 0) && has_next)
            i++;
        else if ((starts_with(word, "-D") || starts_with(word, "-U")) && word[2])
            vec_push(r->arena, &r->line->front, (void *)word);
        else if (strcmp(word, "-MP") != 0)
            passes(r, "an option of -Wp is not known");
    }
}

/* The option's argument: what is behind `name` in its word, or the next one. */
static const char *argument(const char *word, const char *name, const char *next)
{
    const char *behind = word + strlen(name);
    return *behind == '=' && starts_with(name, "--") ? behind + 1 : *behind ? behind : next;
}

static void read_macro(Reading *r, const char *option, const char *value)
{
    vec_push(r->arena, &r->line->front, arena_printf(r->arena, "%s%s", option, value));
}

/* What it says of floating-point exceptions, roundings and errno. */
static void read_math(CompileLine *line, const char *word)
{
    static const char *const strict[] = {"-frounding-math",
                                         "-fsignaling-nans",
                                         "-ffp-model=strict",
                                         "-ffp-exception-behavior=strict",
                                         "-ffp-exception-behavior=maytrap",
                                         NULL};
    static const char *const heeded[] = {"-fno-fast-math", "-ftrapping-math", "-fmath-errno", NULL};
    for (int i = 0; strict[i]; i++)
        line->rounds |= strcmp(word, strict[i]) == 0;
    for (int i = 0; heeded[i]; i++)
        line->ignores_exceptions &= strcmp(word, heeded[i]) != 0;
    line->ignores_exceptions |= strcmp(word, "-ffast-math") == 0 || strcmp(word, "-Ofast") == 0;
}

/* An option that says something to us; `next`: its argument, if that is a word of its own, or "". */
static void read_meaning(Reading *r, const char *word, const char *next)
{
    if (strcmp(word, "-MD") == 0 || strcmp(word, "-MMD") == 0)
        r->makes_rules = true;
    else if (starts_with(word, "-MF"))
        r->rules = argument(word, "-MF", next);
    else if (starts_with(word, "-Wp,"))
        read_preprocessor_words(r, word + 4);
    else if (starts_with(word, "--output"))
        r->out = argument(word, "--output", next);
    else if (starts_with(word, "-o") && !starts_with(word, "-objc"))
        r->out = argument(word, "-o", next);
    else if (starts_with(word, "--language"))
        r->language = argument(word, "--language", next);
    else if (starts_with(word, "-x"))
        r->language = argument(word, "-x", next);
    else if (starts_with(word, "--define-macro"))
        read_macro(r, "-D", argument(word, "--define-macro", next));
    else if (starts_with(word, "--undefine-macro"))
        read_macro(r, "-U", argument(word, "--undefine-macro", next));
    else if (starts_with(word, "-D") || starts_with(word, "-U"))
        read_macro(r, word[1] == 'D' ? "-D" : "-U", argument(word, word[1] == 'D' ? "-D" : "-U", next));
    else if (strcmp(word, "-include") == 0 || strcmp(word, "--include") == 0 || strcmp(word, "-imacros") == 0) {
        vec_push(r->arena, &r->line->front, word[1] == '-' ? "-include" : (void *)word);
        vec_push(r->arena, &r->line->front, (void *)next);
    } else if (strcmp(word, "-Xpreprocessor") == 0) {
        read_preprocessor_words(r, next);
    } else if (strcmp(word, "-ftrapv") == 0 || starts_with(word, "-fsanitize=")) {
        r->line->checks_overflow = true;
    } else {
        read_math(r->line, word);
    }
}

/* Does the option say which headers and macros there are? -D and -U do, because they may take away what the compiler defines. */
static bool is_asked(const char *word)
{
    static const char *const never[] = {"-c",          "-S",       "-o",          "-l",        "-L",        "-x",
                                        "-u",          "-z",       "-e",          "-T",        "-MF",       "-MT",
                                        "-MQ",         "-MD",      "-MMD",        "-MP",       "-include",  "-imacros",
                                        "-save-temps", "-Xlinker", "-Xassembler", "-aux-info", "-dumpbase", "-dumpbase-ext",
                                        "-dumpdir",    "-pipe",    "-shared",     "-static",   "-rdynamic", "-P",
                                        "-C",          "-CC",      NULL};
    static const char *const begins[] = {"-o",         "-l",         "-L",          "-x",    "-Wl,", "-Wa,", "-Wp,",
                                         "-Werror",    "-d",         "-save-temps", "-MF",   "-MT",  "-MQ",  "--output",
                                         "--include=", "--language", "-fdump",      "-flto", NULL};
    for (const char *const *b = begins; *b; b++)
        if (starts_with(word, *b))
            return false;
    return !is_one_of(word, never);
}

static void read_input(Reading *r, int at)
{
    const char *word = r->line->words.items[at];
    const bool by_name = !r->language || strcmp(r->language, "none") == 0;
    if (strcmp(word, "-") == 0) {
        passes(r, "it reads standard input");
    } else if (by_name ? ends_with(word, ".c") : strcmp(r->language, "c") == 0) {
        int *index = arena_new_array(r->arena, int, 1);
        *index = at;
        vec_push(r->arena, &r->line->sources, index);
    }
}

static void read_words(Reading *r)
{
    CompileLine *line = r->line;
    int at = 0;
    for (; at < line->words.count; at++) {
        const char *word = line->words.items[at];
        if (at && (*word == '-' || ends_with(word, ".c")))
            break;
        if (strstr(base_of(word), "++"))
            passes(r, line->other_text = "it is a compiler of C++");
        vec_push(r->arena, &line->asked, (void *)word);
    }
    line->nleading = at;
    for (; at < line->words.count; at++) {
        const char *word = line->words.items[at];
        if (*word != '-' || !word[1]) {
            read_input(r, at);
            continue;
        }
        const bool takes_next = is_one_of(word, with_argument) && at + 1 < line->words.count;
        const char *next = takes_next ? line->words.items[at + 1] : "";
        read_option_of_passing(r, word);
        read_meaning(r, word, next);
        if (is_asked(word)) {
            vec_push(r->arena, &line->asked, (void *)word);
            if (takes_next)
                vec_push(r->arena, &line->asked, (void *)next);
        }
        at += takes_next;
    }
}

/* The names that compilers give to the rule for make if -MF does not say it: after the output, after the source, after both. */
static void name_depfiles(Reading *r)
{
    Arena *arena = r->arena;
    CompileLine *line = r->line;
    if (r->rules) {
        vec_push(arena, &line->depfiles, (void *)r->rules);
        return;
    }
    const char *out = r->out ? r->out : "a", *dot = strrchr(base_of(out), '.');
    const int stem = dot ? (int)(dot - out) : (int)strlen(out);
    vec_push(arena, &line->depfiles, arena_printf(arena, "%.*s.d", stem, out));
    vec_push(arena, &line->depfiles, arena_printf(arena, "%s.d", out));
    for (int i = 0; i < line->sources.count; i++) {
        const char *name = base_of(line->words.items[*(int *)line->sources.items[i]]), *end = strrchr(name, '.');
        const int len = end ? (int)(end - name) : (int)strlen(name);
        vec_push(arena, &line->depfiles, arena_printf(arena, "%.*s.d", len, name));
        vec_push(arena, &line->depfiles, arena_printf(arena, "%s-%.*s.d", out, len, name));
        vec_push(arena, &line->depfiles, arena_printf(arena, "%.*s-%.*s.d", stem, out, len, name));
    }
}

/* Whether a file that the compiler writes is one of the sources: it refuses that, which it could not see in rewritten ones. */
static void check_written(Reading *r, const char *path)
{
    const FileId written = path ? file_identify(r->arena, path) : (FileId){0};
    for (int i = 0; i < r->line->sources.count; i++) {
        const FileId source = file_identify(r->arena, r->line->words.items[*(int *)r->line->sources.items[i]]);
        if (file_is_same(&written, &source))
            passes(r, "it writes into its source");
    }
}

/* Whether the sources can be rewritten, all as they are. */
static void check_sources(Reading *r)
{
    CompileLine *line = r->line;
    if (!line->sources.count)
        passes(r, "it compiles no source in C");
    for (int i = 0; i < line->sources.count; i++) {
        const char *path = line->words.items[*(int *)line->sources.items[i]], *name = base_of(path);
        struct stat st;
        if (!i)
            line->folder = arena_strndup(r->arena, path, (size_t)(name - path));
        else if (strncmp(line->folder, path, (size_t)(name - path)) != 0 || strlen(line->folder) != (size_t)(name - path))
            passes(r, "its sources lie in several folders");
        if (stat(path, &st) != 0 || !S_ISREG(st.st_mode))
            passes(r, "a source is no file");
        for (int j = 0; j < i; j++)
            if (strcmp(path, line->words.items[*(int *)line->sources.items[j]]) == 0)
                passes(r, "it compiles a source twice");
    }
}

void compile_line_read(Arena *arena, int nwords, char *const words[], CompileLine *line)
{
    *line = (CompileLine){.folder = ""};
    Reading r = {.arena = arena, .line = line};
    for (int i = 0; i < nwords; i++)
        add_word(arena, words[i], i ? 0 : 16, &line->words);
    read_words(&r);
    check_sources(&r);
    check_written(&r, r.out);
    check_written(&r, r.rules);
    if (r.out && (strcmp(r.out, "-") == 0 || starts_with(r.out, "/dev/")))
        passes(&r, "it writes no file");
    if (r.makes_rules || r.rules)
        name_depfiles(&r);
    if (r.rules && strcmp(r.rules, "-") == 0)
        passes(&r, "it says what the source includes");
    if (getenv("DEPENDENCIES_OUTPUT") || getenv("SUNPRO_DEPENDENCIES"))
        passes(&r, "it is asked by the environment what the source includes");
}
