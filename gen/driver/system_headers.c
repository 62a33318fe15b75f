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

/* What the compiler says, which is asked with `words` and then `asked`, or NULL. */
static char *answer(Arena *arena, const Vec *words, const char *asked)
{
    FILE *said = tmpfile();
    if (!said)
        return NULL;
    Vec argv = {0};
    for (int i = 0; i < words->count; i++)
        vec_push(arena, &argv, words->items[i]);
    for (char **word = child_words(arena, asked); *word; word++)
        vec_push(arena, &argv, *word);
    vec_push(arena, &argv, NULL);
    char *text = NULL;
    if (child_listen((char **)argv.items, fileno(said)) && fseek(said, 0, SEEK_END) == 0) {
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

bool compiler_ask(Arena *arena, const Vec *words, CompilerSays *says)
{
    const char *text = answer(arena, words, "-E -v -dM -x c /dev/null");
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

bool system_headers(Arena *arena, const Options *opt, Vec *folders)
{
    const char *set = getenv("CC");
    const char *cc = opt->tuning.cc ? opt->tuning.cc : set && *set ? set : "cc";
    CompilerSays says;
    Vec words = {0};
    for (char **word = child_words(arena, cc); *word; word++)
        vec_push(arena, &words, *word);
    if (opt->sysroot)
        vec_push(arena, &words, arena_printf(arena, "--sysroot=%s", opt->sysroot));
    if (!compiler_ask(arena, &words, &says) && (opt->tuning.cc || opt->sysroot))
        return option_wrong("'%s -E -v -x c /dev/null' does not say where its headers are", cc,
                            "give a C compiler with --cc=PROGRAM, such as gcc or clang");
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
static const char *toolkit_answer(Arena *arena)
{
    const char *set = getenv("NVCC"), *programs[] = {set && *set ? set : "nvcc", set && *set ? NULL : "/usr/local/cuda/bin/nvcc", NULL};
    const char *text = NULL;
    for (int i = 0; !text && programs[i]; i++) {
        Vec words = {0};
        for (char **word = child_words(arena, programs[i]); *word; word++)
            vec_push(arena, &words, *word);
        text = answer(arena, &words, "-E -x cu -Xcompiler -v /dev/null");
    }
    return text;
}

bool toolkit_headers(Arena *arena, const Options *opt, Vec *folders, Vec *versions)
{
    const char *text = opt->sysroot || access(MIKGEN_CLANG_HEADERS "/stddef.h", R_OK) != 0 ? NULL : toolkit_answer(arena);
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
