/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Opens, saves and comments a profile while a run goes on. */
#include "gen/tune/tune_file.h"

#include <string.h>
#include <unistd.h>

#include "gen/driver/file.h"
#include "gen/driver/profiles.h"
#include "gen/driver/program.h"

void tune_complain(const char *what, const char *help) { fprintf(stderr, "mikgen: error: tune: %s\nhelp: %s\n", what, help); }

Profile *tune_begin(Arena *arena, const Options *opt)
{
    if (!opt->out.file || opt->tuning.fresh || access(opt->out.file, F_OK) != 0)
        return profile_new(arena, NULL);
    return profiles_read(arena, opt->out.file, NULL);
}

/* Has this run written the profile? */
static bool was_saved;

bool tune_save(void *user, const Profile *profile)
{
    const Options *opt = user;
    if (!opt->out.file)
        return true; /* standard output gets it once, at the end */
    Arena *arena = arena_new();
    const char *text = profile_print(arena, profile);
    bool ok = file_write(arena, opt->out.file, text, strlen(text));
    arena_free(arena);
    was_saved = was_saved || ok;
    return ok;
}

int tune_interrupted(int number) { return INTERRUPTED + number; }

int tune_outcome(TuneResult result, int number)
{
    return result == TUNE_FAILED ? USER_FAULT : result == TUNE_INTERRUPTED ? tune_interrupted(number) : DONE;
}

void tune_say_interrupted(const Options *opt)
{
    const char *file = opt->out.file;
    if (!file)
        fprintf(stderr, "mikgen: interrupted; nothing is written\nhelp: with -o FILE what is measured is kept\n");
    else if (was_saved)
        fprintf(stderr, "mikgen: interrupted; %s has what is measured so far, and the same command%s goes on from there\n", file,
                opt->tuning.fresh   ? " without --fresh"
                : opt->tuning.again ? " without --again"
                                    : "");
    else if (access(file, F_OK) == 0)
        fprintf(stderr, "mikgen: interrupted before more was measured; %s is as it was, and the same command begins where this one did\n",
                file);
    else
        fprintf(stderr, "mikgen: interrupted before anything was measured; %s is not there, and the same command begins anew\n", file);
}

int tune_finish(Arena *arena, const Options *opt, const Profile *profile)
{
    if (opt->out.file)
        return tune_save((void *)opt, profile) ? DONE : USER_FAULT;
    const char *text = profile_print(arena, profile);
    return file_write(arena, NULL, text, strlen(text)) ? DONE : USER_FAULT;
}
