/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Jinja, behind one function. */
#ifndef MIKGEN_EMIT_RENDER_H
#define MIKGEN_EMIT_RENDER_H

#include <jansson.h>
#include <stdbool.h>

#include "ir/arena.h"

/* Render `name` from folder `templates` with `model` as its variables; the text is appended to `out`. `compiled`: a
 * folder with templates that the build has compiled, which are used where they agree with their sources; it may lack.
 * A Python child does it (STACK: `python3 -I -B render.py`), fed JSON on standard input. On a failure the
 * child's message ("templates/x.j2:6: ...") has gone to stderr and false is returned: our own fault. */
bool render(const char *templates, const char *compiled, const char *name, const json_t *model, Text *out);

#endif
