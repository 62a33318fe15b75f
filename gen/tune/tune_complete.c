/* SPDX-License-Identifier: GPL-3.0-or-later */
/* One number of all that the answer depends on, FNV-1a (Fowler, Noll, Vo). */
#include "gen/tune/tune_complete.h"

#include <glob.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "gen/driver/child.h"
#include "gen/driver/command.h"
#include "tune/measure_forms.h"

static const char begins[] = "complete for one command on one machine: ";

static void take(uint64_t *hash, const char *text, size_t len)
{
    for (size_t i = 0; i < len; i++)
        *hash = (*hash ^ (unsigned char)text[i]) * UINT64_C(0x100000001b3);
    *hash *= UINT64_C(0x100000001b3); /* its end */
}

static void take_text(uint64_t *hash, const char *text) { take(hash, text ? text : "", text ? strlen(text) : 0); }

static void take_number(uint64_t *hash, int64_t number) { take(hash, (const char *)&number, sizeof number); }

/* Options that decide what is measured. */
static void take_options(Arena *arena, uint64_t *hash, const Options *opt)
{
    const TuneOptions *t = &opt->tuning;
    take_text(hash, MIKGEN_VERSION);
    take_text(hash, canonical_command(arena, opt));
    take_text(hash, opt->calls.isa);
    take_text(hash, opt->cc);
    take_text(hash, opt->tuning.nvcc);
    take_text(hash, opt->planner.arch);
    const int numbers[] = {t->n_pred, t->search, t->trials, t->shard, t->shards, t->quick, opt->calls.threads, t->device};
    for (size_t i = 0; i < sizeof numbers / sizeof *numbers; i++)
        take_number(hash, numbers[i]);
}

static void take_specs(uint64_t *hash, const TuneSpec *specs, int nspecs)
{
    for (int i = 0; i < nspecs; i++) {
        take(hash, specs[i].text->text, specs[i].text->len);
        for (int j = 0; j < specs[i].shapes.count; j++) {
            const NestShape *shape = specs[i].shapes.items[j];
            take_number(hash, shape->op);
            take_text(hash, shape->extents);
        }
    }
}

/* The compiler: where it is, its size and its age. */
static void take_compiler(Arena *arena, uint64_t *hash, const Options *opt)
{
    const bool cuda = strcmp(opt->planner.target, "cuda") == 0;
    const char *given = cuda ? opt->tuning.nvcc : opt->cc, *usual = cuda ? "nvcc" : "cc";
    const char *name = cuda && given ? given : child_words(arena, given ? given : usual)[0], *path = getenv("PATH");
    struct stat st = {0};
    if (!name)
        return;
    const char *file = name;
    for (bool found = strchr(name, '/') != NULL; !found && path && *path; path += path[0] == ':') {
        const size_t len = strcspn(path, ":");
        file = arena_printf(arena, "%.*s/%s", (int)len, path, name);
        found = access(file, X_OK) == 0;
        path += len;
    }
    if (stat(file, &st) != 0)
        return;
    take_number(hash, st.st_size);
    take_number(hash, st.st_mtime);
}

/* The first processor, as the system describes it, without what changes from moment to moment; how many there are. */
static void take_machine(uint64_t *hash)
{
    static const char *const kept[] = {"vendor_id", "cpu family", "model", "stepping", "flags", "cpu cores"};
    char line[8192];
    FILE *f = fopen("/proc/cpuinfo", "r");
    while (f && fgets(line, sizeof line, f) && *line != '\n')
        for (size_t i = 0; i < sizeof kept / sizeof *kept; i++)
            if (strncmp(line, kept[i], strlen(kept[i])) == 0)
                take_text(hash, line);
    if (f)
        fclose(f);
    take_number(hash, sysconf(_SC_NPROCESSORS_ONLN));
}

/* The GPUs, as the driver's files tell of them; where there are none, those of the profile's own comments alone. */
static void take_gpus(uint64_t *hash)
{
    char line[1024];
    glob_t found;
    take_text(hash, getenv("CUDA_VISIBLE_DEVICES"));
    if (glob("/proc/driver/nvidia/gpus/*/information", 0, NULL, &found) == 0)
        for (size_t i = 0; i < found.gl_pathc; i++) {
            FILE *f = fopen(found.gl_pathv[i], "r");
            while (f && fgets(line, sizeof line, f))
                if (strncmp(line, "Model:", 6) == 0 || strncmp(line, "GPU UUID:", 9) == 0)
                    take_text(hash, line);
            if (f)
                fclose(f);
        }
    globfree(&found);
}

/* The comment; the profile has none of the kind now. */
static const char *word_of(Arena *arena, const Options *opt, const TuneSpec *specs, const Profile *profile)
{
    uint64_t hash = UINT64_C(0xcbf29ce484222325);
    take_options(arena, &hash, opt);
    take_specs(&hash, specs, opt->in.nspecs);
    take_compiler(arena, &hash, opt);
    take_machine(&hash);
    if (strcmp(opt->planner.target, "cuda") == 0)
        take_gpus(&hash);
    take_text(&hash, profile_print(arena, profile));
    return arena_printf(arena, "%s%016llx", begins, (unsigned long long)hash);
}

/* What a complete profile is asked for is in it, and not to be measured in any case; tables and pages have been written. */
static bool may_be_complete(const Options *opt)
{
    const TuneOptions *t = &opt->tuning;
    return opt->out.file && !t->again && !t->fresh && !t->table && !t->program && (!opt->out.report || access(opt->out.report, F_OK) == 0);
}

bool tune_is_complete(Arena *arena, const Options *opt, const TuneSpec *specs, Profile *profile)
{
    const char *comment, *said = NULL;
    if (!may_be_complete(opt))
        return false;
    for (int i = 0; (comment = profile_comment(profile, i)); i++)
        said = strncmp(comment, begins, strlen(begins)) == 0 ? comment : said;
    if (!said)
        return false;
    profile_drop_comments(profile, begins);
    if (strcmp(said, word_of(arena, opt, specs, profile)) != 0)
        return false;
    profile_add_comment(arena, profile, said);
    fprintf(stderr,
            "mikgen: nothing is left to measure: %s is complete for this command on this machine\nhelp: --again measures all of it again\n",
            opt->out.file);
    return true;
}

void tune_mark_complete(Arena *arena, const Options *opt, const TuneSpec *specs, Profile *profile)
{
    profile_drop_comments(profile, begins);
    profile_add_comment(arena, profile, word_of(arena, opt, specs, profile));
}
