/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Tries the places one after the other. */
#include "gen/driver/templates.h"

#include <errno.h>
#include <limits.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

static bool has_script(Arena *arena, const char *folder) { return access(arena_printf(arena, "%s/render.py", folder), R_OK) == 0; }

/* Where the templates are if this executable is where it was installed beside them; "" if nobody knows where it is. */
static const char *beside_executable(Arena *arena)
{
    char path[PATH_MAX];
    const ssize_t len = readlink("/proc/self/exe", path, sizeof path - 1);
    if (len <= 0)
        return "";
    path[len] = '\0';
    return arena_printf(arena, "%.*s/" MIKGEN_TEMPLATES_FROM_BIN, (int)(strrchr(path, '/') - path), path);
}

bool templates_find(Arena *arena, const char *named, TemplateFolders *folders)
{
    const char *beside = beside_executable(arena);
    const TemplateFolders tree = {MIKGEN_TEMPLATES_DIR, MIKGEN_TEMPLATES_COMPILED_DIR};
    const TemplateFolders installed[] = {{beside, arena_printf(arena, "%s/compiled", beside)},
                                         {MIKGEN_TEMPLATES_INSTALL_DIR, MIKGEN_TEMPLATES_INSTALL_DIR "/compiled"}};
    *folders = *beside && has_script(arena, beside) ? installed[0] : has_script(arena, tree.sources) ? tree : installed[1];
    if (named)
        folders->sources = named;
    if (has_script(arena, folders->sources))
        return true;
    if (named)
        fprintf(stderr,
                "mikgen: error: --templates=%s: %s/render.py: %s\nhelp: name a folder that holds mikgen's templates and their render.py\n",
                named, named, strerror(errno));
    else
        fprintf(stderr,
                "mikgen: error: the templates are missing: there is no %s/render.py\n"
                "help: install mikgen as a whole (cmake --install), or name their folder: --templates=FOLDER\n",
                *beside ? beside : folders->sources);
    return false;
}
