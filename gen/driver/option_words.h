/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Words of a command line that getopt_long(3) does not take. */
#ifndef MIKGEN_GEN_DRIVER_OPTION_WORDS_H
#define MIKGEN_GEN_DRIVER_OPTION_WORDS_H

#include <getopt.h>
#include <stdbool.h>

#include "ir/arena.h"

/* The word that getopt_long() takes next, when it has come to argv[at] and has no letters of an earlier word left: the first option,
 * or, where options end at the first word that is none (`in_front`), that very word; NULL: there is none. */
const char *option_next(int argc, char *const argv[], int at, bool in_front);

/* One message about the word that getopt_long() has refused, `result` being '?' or ':' and `which` its optopt: what is wrong with it, and
 * which of the options `all` may be meant. `command`: what --help is asked of, "mikgen" or "mikgen tune". False. */
bool option_refused(Arena *arena, const struct option *all, const char *word, int result, int which, const char *command);

/* False after one message if the first operand is no file, and looks like one of mikgen's commands or like an option without its dashes. */
bool option_is_operand(Arena *arena, const struct option *all, const char *word);

/* Is `word` up to its = the name of one? */
bool option_is_long(const struct option *all, const char *word);

#endif
