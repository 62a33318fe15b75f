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

/* What the compiler says, or NULL. */
static const char *answer(Arena *arena, const char *cc, const char *sysroot)
{
    static char *const asked[] = {"-E", "-v", "-x", "c", "/dev/null"};
    FILE *said = tmpfile();
    if (!said)
        return NULL;
    Vec argv = {0};
    for (char **word = child_words(arena, cc); *word; word++)
        vec_push(arena, &argv, *word);
    for (size_t i = 0; i < sizeof asked / sizeof *asked; i++)
        vec_push(arena, &argv, asked[i]);
    if (sysroot)
        vec_push(arena, &argv, arena_printf(arena, "--sysroot=%s", sysroot));
    vec_push(arena, &argv, NULL);
    const char *text = NULL;
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

/* A line in the list for each folder, a blank in front of it. */
static void read_list(Arena *arena, const char *text, Vec *folders)
{
    const char *line = strstr(text, "\n#include <...> search starts here:\n");
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

/* What a compiler brings, and not the C library: <stddef.h> without <stdio.h>. */
static bool is_of_compiler(Arena *arena, const char *folder)
{
    return access(arena_printf(arena, "%s/stddef.h", folder), R_OK) == 0 && access(arena_printf(arena, "%s/stdio.h", folder), R_OK) != 0;
}

bool system_headers(Arena *arena, const Options *opt, Vec *folders)
{
    const char *set = getenv("CC");
    const char *cc = opt->tuning.cc ? opt->tuning.cc : set && *set ? set : "cc";
    const char *text = answer(arena, cc, opt->sysroot);
    Vec found = {0};
    if (text)
        read_list(arena, text, &found);
    if (!found.count && (opt->tuning.cc || opt->sysroot))
        return option_wrong("'%s -E -v -x c /dev/null' does not say where its headers are", cc,
                            "give a C compiler with --cc=PROGRAM, such as gcc or clang");
    bool has_own = found.count && access(MIKGEN_CLANG_HEADERS "/stddef.h", R_OK) == 0;
    if (has_own)
        vec_push(arena, folders, (void *)MIKGEN_CLANG_HEADERS);
    for (int i = 0; i < found.count; i++)
        if (!has_own || !is_of_compiler(arena, found.items[i]))
            vec_push(arena, folders, found.items[i]);
    return true;
}
