/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "gen/tune/compile.h"

#include <string.h>

#include "gen/driver/child.h"
#include "gen/driver/program.h"
#include "gen/tune/tune_file.h"

/* The words of the compiler's command, in place; without a blank among them the last is NULL. */
static int split(char *command, char **words, int most)
{
    int n = 0;
    for (char *word = strtok(command, " "); word && n < most; word = strtok(NULL, " "))
        words[n++] = word;
    return n;
}

static const char *command(const Options *opt) { return opt->tuning.cc ? opt->tuning.cc : "cc -O2"; }

int compile_program(Arena *arena, const Options *opt, const char *source, const char *program, const char *const *more)
{
    enum { WORDS = 60, MORE = 8 };
    static const char *const ours[] = {"-w", "-D_GNU_SOURCE", "-pthread"};
    char *argv[WORDS + 8 + MORE];
    int n = split(arena_strndup(arena, command(opt), strlen(command(opt))), argv, WORDS);
    for (size_t i = 0; i < sizeof ours / sizeof *ours; i++)
        argv[n++] = (char *)ours[i];
    argv[n++] = (char *)source;
    argv[n++] = (char *)"-o";
    argv[n++] = (char *)program;
    for (int i = 0; more[i] && i < MORE; i++)
        argv[n++] = (char *)more[i];
    argv[n] = NULL;
    int number;
    const char *wrong = child_run(argv, &number);
    if (number)
        return tune_interrupted(opt, number);
    if (wrong)
        tune_complain(wrong, "--cc names the C compiler, as in --cc='gcc -O2'");
    return wrong ? USER_FAULT : DONE;
}

const char *compile_words(Arena *arena, const Options *opt)
{
    enum { WORDS = 60 };
    char *words[WORDS];
    Text t;
    text_init(&t, arena);
    int n = split(arena_strndup(arena, command(opt), strlen(command(opt))), words, WORDS);
    for (int i = 1; i < n; i++)
        if (!strchr(words[i], '/'))
            text_printf(&t, "%s%s", t.size ? " " : "", words[i]);
    return t.data;
}
