/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Asks the compiler, and reads the list in its answer:
 *     #include <...> search starts here:
 *      /usr/lib/gcc/x86_64-linux-gnu/12/include
 *      /usr/include
 *     End of search list.
 */
#include "gen/driver/system_headers.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "gen/driver/child.h"
#include "gen/driver/options_agree.h"

/* The words of a call: those of a command, the words `more`, and those of `asked`; ended by NULL. */
static char **call_of(Arena *arena, const char *command, const Vec *more, const char *asked)
{
    Vec argv = {0};
    for (char **word = child_words(arena, command); *word; word++)
        vec_push(arena, &argv, *word);
    for (int i = 0; i < more->count; i++)
        vec_push(arena, &argv, more->items[i]);
    for (char **word = child_words(arena, asked); *word; word++)
        vec_push(arena, &argv, *word);
    vec_push(arena, &argv, NULL);
    return (char **)argv.items;
}

static bool same_words(char *const a[], char *const b[])
{
    for (; *a && *b && strcmp(*a, *b) == 0; a++, b++)
        ;
    return !*a && !*b;
}

/* What a program says that is called so, or NULL. */
static char *listen(Arena *arena, char *const argv[])
{
    FILE *said = tmpfile();
    if (!said)
        return NULL;
    char *text = NULL;
    if (child_listen(argv, fileno(said)) && fseek(said, 0, SEEK_END) == 0) {
        long size = ftell(said);
        char *all = size > 0 ? arena_alloc(arena, (size_t)size + 1) : NULL;
        rewind(said);
        if (all && fread(all, 1, (size_t)size, said) == (size_t)size) {
            all[size] = 0;
            text = all;
        }
    }
    fclose(said);
    return text;
}

/* The same of a command, `more` and `asked`; with a memory of what was said before, each call is made once. */
static const char *answer(Arena *arena, Answers *known, const char *command, const Vec *more, const char *asked)
{
    char **argv = call_of(known ? known->arena : arena, command, more, asked);
    if (!known)
        return listen(arena, argv);
    for (int i = 0; i < known->calls.count; i++)
        if (same_words(known->calls.items[i], argv))
            return known->said.items[i];
    vec_push(known->arena, &known->calls, argv);
    vec_push(known->arena, &known->said, listen(known->arena, argv));
    return known->said.items[known->said.count - 1];
}

/* The lines in a list, a folder in each with a blank in front of it. */
static void read_list(Arena *arena, const char *text, const char *title, Vec *folders)
{
    const char *line = strstr(text, title);
    if (!line)
        return;
    for (line = strchr(line + 1, '\n') + 1; *line == ' '; line++) {
        const char *end = line + strcspn(line, "\n");
        vec_push(arena, folders, arena_strndup(arena, line + 1, (size_t)(end - line - 1)));
        line = end;
        if (!*line)
            return;
    }
}

/* Its lines with macros, which stand among what -v says. */
static const char *read_macros(Arena *arena, const char *text)
{
    static const char define[] = "#define ";
    Text macros;
    text_init(&macros, arena);
    for (const char *line = text; *line;) {
        const size_t len = strcspn(line, "\n");
        if (strncmp(line, define, sizeof define - 1) == 0)
            text_printf(&macros, "%.*s\n", (int)len, line);
        line += len + (line[len] == '\n');
    }
    return macros.data;
}

/* What a compiler brings, and not the C library: <stddef.h> without <stdio.h>. */
static bool is_of_compiler(Arena *arena, const char *folder)
{
    return access(arena_printf(arena, "%s/stddef.h", folder), R_OK) == 0 && access(arena_printf(arena, "%s/stdio.h", folder), R_OK) != 0;
}

/* Clang's own headers take the place of the compiler's, if they are there. */
static void add_folders(Arena *arena, const Vec *found, Vec *folders)
{
    bool has_own = found->count && access(MIKGEN_CLANG_HEADERS "/stddef.h", R_OK) == 0;
    if (has_own)
        vec_push(arena, folders, (void *)MIKGEN_CLANG_HEADERS);
    for (int i = 0; i < found->count; i++)
        if (!has_own || !is_of_compiler(arena, found->items[i]))
            vec_push(arena, folders, found->items[i]);
}

static bool read_answer(Arena *arena, const char *text, CompilerSays *says)
{
    *says = (CompilerSays){.macros = ""};
    if (!text)
        return false;
    read_list(arena, text, "\n#include \"...\" search starts here:\n", &says->quoted);
    Vec found = {0};
    read_list(arena, text, "\n#include <...> search starts here:\n", &found);
    add_folders(arena, &found, &says->folders);
    says->macros = read_macros(arena, text);
    return found.count != 0;
}

static const char to_compiler[] = "-E -v -dM -x c /dev/null";

bool compiler_ask(Arena *arena, const Vec *words, CompilerSays *says)
{
    return read_answer(arena, answer(arena, NULL, "", words, to_compiler), says);
}

const char *compiler_macro(Arena *arena, const CompilerSays *says, const char *name)
{
    const char *at = strstr(says->macros, arena_printf(arena, "#define %s ", name));
    at = at ? at + strlen("#define ") + strlen(name) + 1 : "";
    return arena_strndup(arena, at, strcspn(at, "\n"));
}

bool compiler_has_known_target(Arena *arena, const CompilerSays *says)
{
    static const struct {
        const char *macro, *value;
    } known[] = {{"__x86_64__", "1"}, {"__SIZEOF_LONG__", "8"}, {"__SIZEOF_POINTER__", "8"}, {"__SIZEOF_LONG_DOUBLE__", "16"}};
    for (size_t i = 0; i < sizeof known / sizeof *known; i++)
        if (strcmp(compiler_macro(arena, says, known[i].macro), known[i].value) != 0)
            return false;
    return !strstr(says->macros, "#define __CHAR_UNSIGNED__");
}

/* True, perhaps after a warning, if files may be read for `cc`. */
static bool check_target(Arena *arena, const Options *opt, const char *cc, const CompilerSays *says)
{
    static const char what[] = "'%s' compiles for another target than C is read for here: x86-64 with a long of 64 bits and signed char";
    if (!*says->macros || compiler_has_known_target(arena, says))
        return true;
    if (opt->cc)
        return option_wrong(what, cc,
                            "give a compiler for x86-64 Linux with --cc=PROGRAM; what comes out is for targets with the same types");
    fprintf(stderr, "mikgen: warning: ");
    fprintf(stderr, what, cc);
    fputc('\n', stderr);
    return true;
}

bool system_headers(Arena *arena, const Options *opt, Vec *folders)
{
    const char *set = getenv("CC");
    const char *cc = opt->cc ? opt->cc : set && *set ? set : "cc";
    CompilerSays says;
    Vec more = {0};
    if (opt->source.sysroot)
        vec_push(arena, &more, arena_printf(arena, "--sysroot=%s", opt->source.sysroot));
    if (!read_answer(arena, answer(arena, opt->source.answers, cc, &more, to_compiler), &says) && (opt->cc || opt->source.sysroot))
        return option_wrong("'%s -E -v -x c /dev/null' does not say where its headers are", cc,
                            "give a C compiler with --cc=PROGRAM, such as gcc or clang");
    if (!check_target(arena, opt, cc, &says))
        return false;
    for (int i = 0; i < says.folders.count; i++)
        vec_push(arena, folders, says.folders.items[i]);
    return true;
}

/* "__CUDACC_VER_MAJOR__=13" behind a -D in the compiler's own command. */
static void read_versions(Arena *arena, const char *text, Vec *versions)
{
    static const char *const names[] = {
        "__CUDACC_VER_MAJOR__=", "__CUDACC_VER_MINOR__=", "__CUDACC_VER_BUILD__=", "__CUDA_API_VER_MAJOR__=", "__CUDA_API_VER_MINOR__="};
    for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
        const char *name = strstr(text, names[i]);
        if (name)
            vec_push(arena, versions,
                     arena_printf(arena, "-D%.*s", (int)(strlen(names[i]) + strspn(name + strlen(names[i]), "0123456789")), name));
    }
}

/* The compiler of $NVCC, else nvcc, else the one in the toolkit's usual place. */
static const char *toolkit_answer(Arena *arena, Answers *known)
{
    const char *set = getenv("NVCC"), *programs[] = {set && *set ? set : "nvcc", set && *set ? NULL : "/usr/local/cuda/bin/nvcc", NULL};
    const char *text = NULL;
    for (int i = 0; !text && programs[i]; i++)
        text = answer(arena, known, programs[i], &(Vec){0}, "-E -x cu -Xcompiler -v /dev/null");
    return text;
}

bool toolkit_headers(Arena *arena, const Options *opt, Vec *folders, Vec *versions)
{
    const char *text = opt->source.sysroot || access(MIKGEN_CLANG_HEADERS "/stddef.h", R_OK) != 0
                           ? NULL
                           : toolkit_answer(arena, opt->source.answers);
    Vec found = {0};
    if (text)
        read_versions(arena, text, versions);
    if (versions->count)
        read_list(arena, text, "\n#include <...> search starts here:\n", &found);
    bool is_own = false;
    for (int i = 0; i < found.count; i++) {
        const bool is_compilers = is_of_compiler(arena, found.items[i]);
        if (!is_compilers || !is_own) // whose <stddef.h> stands behind the C++ library's headers
            vec_push(arena, folders, is_compilers ? (void *)MIKGEN_CLANG_HEADERS : found.items[i]);
        is_own |= is_compilers;
    }
    return true;
}
