/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "peers.h"

#include <dlfcn.h>
#include <stdio.h>
#include <string.h>

void *library_load(const char *folder, const char *file, int threads)
{
    char path[4096];
    snprintf(path, sizeof path, "%s/%s", folder, file);
    void *object = dlopen(path, RTLD_NOW | RTLD_LOCAL | RTLD_DEEPBIND);
    if (!object) {
        fprintf(stderr, "%s\n", dlerror());
        return NULL;
    }
    void (*set)(int);
    *(void **)&set = dlsym(object, "set_threads"); /* POSIX has dlsym return functions as pointers to objects */
    set(threads);
    return object;
}

const Library *library_entries(void *object) { return dlsym(object, "libraries"); }

const char *library_description(void *object)
{
    const char *(*describe)(void);
    *(void **)&describe = dlsym(object, "describe");
    return describe();
}

static void append(Peers *peers, const char *text) { strncat(peers->heading, text, sizeof peers->heading - strlen(peers->heading) - 1); }

/* Adds a column for every entry of an object that has this type. */
static bool add(Peers *peers, const char *folder, const char *file, int type, int threads)
{
    void *object = library_load(folder, file, threads);
    int before = peers->count;
    if (!object)
        return false;
    for (const Library *l = library_entries(object); l->name; l++)
        if (l->gemm[type] && peers->count < MAX_COLUMNS) {
            peers->columns[peers->count].name = l->name;
            peers->columns[peers->count++].gemm = l->gemm[type];
        }
    if (peers->count > before) {
        append(peers, before > 0 ? "; " : "");
        append(peers, library_description(object));
    }
    return true;
}

bool peers_load(Peers *peers, const char *folder, const char *other, int type, int threads)
{
    static const char *const files[] = {"lib_ours.so", "lib_openblas.so", "lib_blis.so", "lib_onednn.so", "lib_libxsmm.so", "lib_eigen.so"};
    for (size_t f = 0; f < sizeof files / sizeof *files; f++)
        if (!add(peers, folder, files[f], type, threads))
            return false;
    if (other) {
        peers->other = peers->count;
        if (!add(peers, other, "lib_ours.so", type, threads))
            return false;
        peers->columns[peers->other].name = "other";
    }
    append(peers, "\n");
    return true;
}
