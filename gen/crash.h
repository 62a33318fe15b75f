/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What would end the process by a signal (a null pointer in us or in a library, a stack that cannot grow, an abort) is our own fault like any
 * other: one message and exit status 2. */
#ifndef MIKGEN_GEN_CRASH_H
#define MIKGEN_GEN_CRASH_H

/* Installs handlers for SIGSEGV, SIGBUS, SIGFPE, SIGILL and SIGABRT, on a stack of their own; under a sanitizer, which tells more, none. A
 * debugger stops before they run. Called once, by main. Programs started from here have none of them. */
void crash_is_internal_error(void);

#endif
