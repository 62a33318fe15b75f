/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What of a text Clang must not read becomes blanks, so that all else keeps its place. */
#ifndef MIKGEN_GEN_FRONT_TEXT_BLANKS_H
#define MIKGEN_GEN_FRONT_TEXT_BLANKS_H

#include <stdbool.h>

#include "ir/arena.h"
#include "ir/diag.h"

#ifdef __cplusplus
extern "C" {
#endif

bool is_word_char(char c); /* of a name of C */

/* `extern "C"` and the braces of its block become blanks: the text is read as C. */
void blank_linkage(char *text);

/* `<<<grid, block>>>` becomes blanks: a launch is read as a call. Where each stands goes to `launches` (Loc *, in `arena`), unless that is NULL. */
void blank_launches(Arena *arena, char *text, Vec *launches);

#ifdef __cplusplus
}
#endif
#endif
