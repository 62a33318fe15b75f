/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Which of some words a misspelt one may have meant. */
#ifndef MIKGEN_GEN_DRIVER_NEAREST_H
#define MIKGEN_GEN_DRIVER_NEAREST_H

#include <stddef.h>

/* The word of a NULL-terminated list that is nearest to the first `len` characters of `word`: by as many insertions, deletions,
 * replacements and exchanges of neighbours as a third of its length, rounded up. The first of several; NULL: none is near. */
const char *nearest_word(const char *word, size_t len, const char *const *list);

#endif
