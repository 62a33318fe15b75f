/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Tries the places one after the other. */
#include "gen/driver/templates.h"

#include <errno.h>
#include <limits.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

static bool has_script(Arena *arena, const char *folder) { return access(arena_printf(arena, "%s/render.py", folder), R_OK) == 0; }

/* The path of this executable; "" if nobody knows it. */
static const char *executable(Arena *arena)
{
    char path[PATH_MAX];
    const ssize_t len = readlink("/proc/self/exe", path, sizeof path - 1);
    return len <= 0 ? "" : arena_printf(arena, "%.*s", (int)len, path);
}

/* Whether a zip archive without a comment is at the end of a file. */
static bool ends_in_archive(const char *path)
{
    enum { END = 22 }; /* bytes of the record that ends an archive; it begins with these four */
    char end[4] = "";
    FILE *f = fopen(path, "rb");
    const bool is_read = f && fseek(f, -END, SEEK_END) == 0 && fread(end, sizeof end, 1, f) == 1;
    if (f)
        fclose(f);
    return is_read && memcmp(end, "PK\5\6", sizeof end) == 0;
}

bool templates_find(Arena *arena, const char *named, TemplateFolders *folders)
{
    const char *self = executable(arena);
    const char *beside = *self ? arena_printf(arena, "%.*s/" MIKGEN_TEMPLATES_FROM_BIN, (int)(strrchr(self, '/') - self), self) : "";
    const TemplateFolders tree = {MIKGEN_TEMPLATES_DIR, MIKGEN_TEMPLATES_COMPILED_DIR};
    const TemplateFolders installed[] = {{beside, arena_printf(arena, "%s/compiled", beside)},
                                         {MIKGEN_TEMPLATES_INSTALL_DIR, MIKGEN_TEMPLATES_INSTALL_DIR "/compiled"}};
    *folders = *beside && has_script(arena, beside) ? installed[0] : has_script(arena, tree.sources) ? tree : installed[1];
    if (ends_in_archive(self)) {
        *folders = (TemplateFolders){self, arena_printf(arena, "%s/compiled", self)};
        if (!named)
            return true;
    }
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
