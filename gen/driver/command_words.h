/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Words of command lines that are text: of response files, and of the commands in banners. */
#ifndef MIKGEN_GEN_DRIVER_COMMAND_WORDS_H
#define MIKGEN_GEN_DRIVER_COMMAND_WORDS_H

#include <stdbool.h>

#include "ir/arena.h"

/* Adds the words of `text` (char *) to `words`. Blanks and line ends part them; '...' and "..." hold what is between them, and a backslash
 * outside of '...' the next character, as in a shell; nothing is substituted. Owned by the arena. NULL, else what in the text is left open. */
const char *words_split(Arena *arena, const char *text, Vec *words);

/* The word as words_split() reads it: itself, or in quotes. */
const char *word_quoted(Arena *arena, const char *word);

/* Puts the words of FILE in place of each argument @FILE, and so on in these; behind an argument -- nothing. `files` gets the names (const char *). False after one located
 * message. Texts are owned by the arena. */
bool words_of_files(Arena *arena, int *argc, char ***argv, Vec *files);

#endif
