/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Programs that a run needs: in a temporary folder of their own. */
#ifndef MIKGEN_GEN_DRIVER_CHILD_H
#define MIKGEN_GEN_DRIVER_CHILD_H

#include <stdbool.h>

#include "ir/arena.h"

/* A new folder below $TMPDIR, default /tmp; NULL with errno set. The caller removes it. */
char *child_folder(Arena *arena);

/* Runs argv and waits for it; Ctrl-C meanwhile ends it alone, as with system(3). NULL if it ended with status 0, else what
 * went wrong; *number, unless that is NULL, gets the signal that ended it, 0 for none. */
const char *child_run(char *const argv[], int *number);

/* The same, and meanwhile calls go_on() ten times a second; where it says false, the child is ended by SIGTERM. */
typedef bool ChildWatch(void);
const char *child_run_watched(char *const argv[], int *number, ChildWatch *go_on);

/* Runs argv with no input and what it says on both outputs into the file `said`, and waits. Whether it ended with status 0. */
bool child_listen(char *const argv[], int said);

/* The words of a command line with blanks between them, ended by NULL; owned by the arena. */
char **child_words(Arena *arena, const char *command);

#endif
