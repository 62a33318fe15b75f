/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Jinja, behind one function. */
#ifndef MIKGEN_EMIT_RENDER_H
#define MIKGEN_EMIT_RENDER_H

#include <jansson.h>
#include <stdbool.h>

#include "ir/arena.h"

typedef enum Rendered {
    RENDERED,
    RENDER_MISSING, /* there is no Python or no Jinja: the user's fault */
    RENDER_FAILED   /* a template's: our own */
} Rendered;

/* Render `name` from folder or archive `templates` with `model` as its variables; the text is appended to `out`. `compiled`: a
 * folder with templates that the build has compiled, which are used where they agree with their sources; it may lack.
 * A Python child does it (STACK: `python3 -I -B render.py`), fed JSON on standard input. Unless it has RENDERED, a
 * message has gone to stderr, the child's if it has one ("templates/x.j2:6: ..."). */
Rendered render(Arena *arena, const char *templates, const char *compiled, const char *name, const json_t *model, Text *out);

#endif
