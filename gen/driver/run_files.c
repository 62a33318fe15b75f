/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Compares files as the system knows them. */
#include "gen/driver/run_files.h"

#include <dirent.h>
#include <stdio.h>
#include <string.h>

#include "gen/driver/file.h"
#include "gen/driver/templates.h"

static bool refuse_output(const RunOutput *output, const char *what, const char *help, const char *name)
{
    fprintf(stderr, "%s: error: ", output->path ? output->path : "<stdout>");
    fprintf(stderr, what, name);
    fprintf(stderr, "\nhelp: ");
    fprintf(stderr, help, output->path ? output->option : "-o");
    fputc('\n', stderr);
    return false;
}

/* The file `name` is read: is it none of the outputs? */
static bool is_apart(Arena *arena, const char *name, const RunOutput *outputs, const FileId *ids, int n)
{
    const FileId id = file_identify(arena, name);
    for (int i = 0; i < n; i++)
        if (file_is_same(&id, ids + i))
            return refuse_output(outputs + i, "this output is the input %s, which would be lost", "name another file with %s",
                                 strcmp(name, "-") == 0 ? "<stdin>" : name);
    return true;
}

static bool all_apart(Arena *arena, const Vec *names, const RunOutput *outputs, const FileId *ids, int n)
{
    for (int i = 0; i < names->count; i++)
        if (!is_apart(arena, names->items[i], outputs, ids, n))
            return false;
    return true;
}

/* The files in a folder and those in it. */
static void list_folder(Arena *arena, const char *folder, int depth, Vec *names)
{
    enum { DEPTH = 8 };
    DIR *all = depth < DEPTH ? opendir(folder) : NULL;
    const struct dirent *entry;
    while (all && (entry = readdir(all)))
        if (entry->d_name[0] != '.') {
            const char *path = arena_printf(arena, "%s/%s", folder, entry->d_name);
            vec_push(arena, names, (void *)path);
            list_folder(arena, path, depth + 1, names);
        }
    if (all)
        closedir(all);
}

/* What each run reads of mikgen itself. */
static bool apart_from_mikgen(Arena *arena, const Options *opt, const RunOutput *outputs, const FileId *ids, int n)
{
    TemplateFolders folders;
    Vec names = {0};
    vec_push(arena, &names, "/proc/self/exe");
    if (!is_apart(arena, names.items[0], outputs, ids, n))
        return false;
    if (!templates_find(arena, opt->emit.templates, &folders))
        return false;
    list_folder(arena, folders.sources, 0, &names);
    list_folder(arena, folders.compiled, 0, &names);
    return all_apart(arena, &names, outputs, ids, n);
}

bool run_files_differ(Arena *arena, const Options *opt, const Vec *inputs, const RunOutput *outputs, int n)
{
    FileId *ids = arena_new_array(arena, FileId, n + 1);
    bool any = false; /* is there already: others are no inputs */
    for (int i = 0; i < n; i++) {
        ids[i] = file_identify(arena, outputs[i].path ? outputs[i].path : "/dev/stdout");
        any |= ids[i].is_file && !ids[i].name;
        for (int j = 0; j < i; j++)
            if (file_is_same(ids + i, ids + j) && !file_is_open(arena, outputs[i].path) && !file_is_open(arena, outputs[j].path))
                return refuse_output(outputs + i, "this is another output, too: %s", "name another file with %s", outputs[j].path);
    }
    if (!any)
        return true;
    for (int i = 0; i < opt->in.nspecs; i++)
        if (!is_apart(arena, opt->in.specs[i], outputs, ids, n))
            return false;
    const char *const files[] = {opt->calls.shapes, opt->tuning.program, opt->emit.license_header};
    for (size_t i = 0; i < sizeof files / sizeof *files; i++)
        if (files[i] && !is_apart(arena, files[i], outputs, ids, n))
            return false;
    return (!inputs || all_apart(arena, inputs, outputs, ids, n)) && all_apart(arena, &opt->in.responses, outputs, ids, n) &&
           all_apart(arena, &opt->planner.profiles, outputs, ids, n) && apart_from_mikgen(arena, opt, outputs, ids, n);
}
