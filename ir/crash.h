/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What would end the process by a signal (a null pointer in us or in a library, a stack that cannot grow, an abort) is our own fault like any
 * other: one message and exit status 2. */
#ifndef MIKGEN_IR_CRASH_H
#define MIKGEN_IR_CRASH_H

/* Installs handlers for SIGSEGV, SIGBUS, SIGFPE, SIGILL and SIGABRT, and gives this thread a stack for them; under a sanitizer, which tells
 * more, neither. A debugger stops before they run. Called once, by main. Programs started from here have none of them. */
void crash_is_internal_error(void);

/* Gives the thread that calls it a stack of its own for these handlers: without one, what overflows the thread's stack ends the process by a
 * signal. To be called by every other thread once, as it begins. */
void crash_has_stack(void);

#endif
