/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "gen/tune/compile.h"

#include <string.h>

#include "gen/driver/child.h"
#include "gen/driver/program.h"
#include "gen/tune/tune_file.h"
#include "tune/progress.h"
#include "tune/session.h"

static const char *command(const Options *opt) { return opt->cc ? opt->cc : "cc -O2"; }

bool compile_goes_on(void)
{
    progress_stage_goes_on();
    return !session_signal();
}

int compile_program(Arena *arena, const Options *opt, const char *what, const char *source, const char *program, const char *const *more)
{
    const char *const ours[] = {"-w", "-D_GNU_SOURCE", "-pthread", source, "-o", program};
    Vec argv = {0};
    for (char **word = child_words(arena, command(opt)); *word; word++)
        vec_push(arena, &argv, *word);
    for (size_t i = 0; i < sizeof ours / sizeof *ours; i++)
        vec_push(arena, &argv, (void *)ours[i]);
    for (int i = 0; more[i]; i++)
        vec_push(arena, &argv, (void *)more[i]);
    vec_push(arena, &argv, NULL);
    int number;
    progress_stage(arena_printf(arena, "compiling %s", what));
    const char *wrong = child_run_watched((char **)argv.items, &number, compile_goes_on);
    progress_stage_end();
    if (session_signal() || number)
        return tune_interrupted(session_signal() ? session_signal() : number);
    if (wrong)
        tune_complain(wrong, "--cc names the C compiler, as in --cc='gcc -O2'");
    return wrong ? USER_FAULT : DONE;
}

const char *compile_words(Arena *arena, const Options *opt)
{
    Text t;
    text_init(&t, arena);
    for (char **word = child_words(arena, command(opt)) + 1; *word; word++)
        if (!strchr(*word, '/'))
            text_printf(&t, "%s%s", t.size ? " " : "", *word);
    return t.data;
}
