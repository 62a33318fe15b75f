/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Where the templates lie. */
#ifndef MIKGEN_GEN_DRIVER_TEMPLATES_H
#define MIKGEN_GEN_DRIVER_TEMPLATES_H

#include <stdbool.h>

#include "ir/arena.h"

typedef struct TemplateFolders {
    const char *sources;  /* Jinja and the engine's files; or an archive that holds these, and Python's Jinja */
    const char *compiled; /* what the build has compiled of them; may lack */
} TemplateFolders;

/* The folder `named` (of --templates) with what the build has compiled; without a name the archive at the end of this executable (of
 * install/onefile.py), else those installed beside it, wherever it has gone, else the source tree's, from which it was built, else those of the prefix that it was to be installed at. Owned by the
 * arena. False after a message. */
bool templates_find(Arena *arena, const char *named, TemplateFolders *folders);

#endif
