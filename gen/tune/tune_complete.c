/* SPDX-License-Identifier: GPL-3.0-or-later */
/* One number of all that the answer depends on, FNV-1a (Fowler, Noll, Vo). */
#include "gen/tune/tune_complete.h"

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
    const int numbers[] = {t->n_pred, t->search, t->trials, t->shard, t->shards, t->quick, opt->calls.threads};
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
    const char *name = child_words(arena, opt->cc ? opt->cc : "cc")[0], *path = getenv("PATH");
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

/* The comment; the profile has none of the kind now. */
static const char *word_of(Arena *arena, const Options *opt, const TuneSpec *specs, const Profile *profile)
{
    uint64_t hash = UINT64_C(0xcbf29ce484222325);
    take_options(arena, &hash, opt);
    take_specs(&hash, specs, opt->in.nspecs);
    take_compiler(arena, &hash, opt);
    take_machine(&hash);
    take_text(&hash, profile_print(arena, profile));
    return arena_printf(arena, "%s%016llx", begins, (unsigned long long)hash);
}

bool tune_is_complete(Arena *arena, const Options *opt, const TuneSpec *specs, Profile *profile)
{
    const char *comment, *said = NULL;
    for (int i = 0; (comment = profile_comment(profile, i)); i++)
        said = strncmp(comment, begins, strlen(begins)) == 0 ? comment : said;
    if (!said)
        return false;
    profile_drop_comments(profile, begins);
    if (strcmp(said, word_of(arena, opt, specs, profile)) != 0)
        return false;
    profile_add_comment(arena, profile, said);
    return true;
}

void tune_mark_complete(Arena *arena, const Options *opt, const TuneSpec *specs, Profile *profile)
{
    profile_drop_comments(profile, begins);
    profile_add_comment(arena, profile, word_of(arena, opt, specs, profile));
}
