/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Bodies of kept functions as text: two spaces per level, braces always, comments and pragmas in their places.
 * A statement or loop header that no pass changed is printed as the file spells it.
 *
 *     for (int i = 0; i < N; ++i)              for (int i = 0; i < N; ++i) {
 *       C[j*64 + i] = 0; // clear        ->      C[t0 + i] = 0; // clear
 *                                              }
 */
#ifndef MIKGEN_EMIT_KEPT_TEXT_H
#define MIKGEN_EMIT_KEPT_TEXT_H

#include "emit/text.h"

typedef struct Keep Keep;

/* Before any pass: remembers what the trees of the source's functions are. Everything is owned by ir's arena. */
Keep *keep_new(Ir *ir, const Source *source);

/* The text of the function's body as it is now, from its '{' to its '}'; `index` counts source->functions. */
const char *keep_body(Keep *keep, int index);

/* From now on bodies say with #line where in the file each statement stands, and spell bool as _Bool, so that no header is needed: texts for
 * compilers. What passes made counts as being where the statement behind it is. */
void keep_mark_lines(Keep *keep);

/* Whether a pass changed the function's tree. */
bool keep_is_changed(const Keep *keep, int index);

/* Whether a body that was printed declares a bool that the passes made. */
bool keep_declares_bool(const Keep *keep);

/* An expression with exact names and the file's spellings, for messages; `keep` may be NULL. */
const char *keep_expr(Ir *ir, const Keep *keep, const Node *e);

#endif
