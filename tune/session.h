/* SPDX-License-Identifier: GPL-3.0-or-later */
/* A conversation with a measuring program (templates/tune): one line asks, one line answers. */
#ifndef MIKGEN_TUNE_SESSION_H
#define MIKGEN_TUNE_SESSION_H

#include <stdbool.h>

#include "ir/arena.h"

typedef struct Session Session;

/* Starts the program. `sample_ns`: how long one measurement should last at least. SIGINT and SIGTERM stop the
 * conversation from now on instead of the process, until session_end, of the last one if there are several. NULL after a message. Arena-owned. */
Session *session_begin(Arena *arena, const char *program, long sample_ns);

/* The answer to a line. NULL when interrupted, or when the program has ended, after a message. Arena-owned. */
const char *session_ask(Session *session, const char *request);

/* The answer as a number; negative like NULL above. */
double session_number(Session *session, const char *request);

/* The signal that has come, 0 for none. */
int session_signal(void);

/* The same signals are watched from here on, whether there are sessions or not, until session_unwatch(). */
void session_watch(void);
void session_unwatch(void);

/* Ends the program and gives the signals their former meaning. */
void session_end(Session *session);

#endif
