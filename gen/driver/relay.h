/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Standing in for another program: its signals and its end are ours; and a folder that is gone when we are. */
#ifndef MIKGEN_GEN_DRIVER_RELAY_H
#define MIKGEN_GEN_DRIVER_RELAY_H

#include <stdbool.h>
#include <sys/types.h>

#include "ir/arena.h"

/* From now on a signal that would end us (SIGINT, SIGTERM, SIGHUP, SIGQUIT) goes to the child that relay_wait() waits for, and ends us by
 * relay_end(). Signals that are ignored stay so. */
void relay_signals(void);

/* Starts argv, with both outputs into the file `said` unless that is -1. Its pid, or -1 with errno set. */
pid_t relay_start(char *const argv[], int said);

/* A child that goes on here: 0 in it, with signals as they were before relay_signals(). */
pid_t relay_fork(void);

/* Waits until the child has ended; its status as of waitpid(2). */
int relay_wait(pid_t child);

/* Whether a signal has come that ends us. */
bool relay_is_ending(void);

/* Ends as a child with this status did, or by the signal that has come. */
void relay_end(int status) __attribute__((noreturn));

/* Makes an empty folder below $TMPDIR, default /tmp: `name`, or a longer one where that is taken. A process of its own removes it with the files
 * in it once we are gone, killed or not. NULL: it cannot be made. Owned by the arena. */
const char *relay_folder(Arena *arena, const char *name);

/* Removes it now. */
void relay_remove_folder(void);

#endif
