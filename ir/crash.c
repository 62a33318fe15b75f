/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Only what POSIX calls async-signal-safe is called in the handler. */
#define _XOPEN_SOURCE 700 /* sigaltstack */
#include "ir/crash.h"

#include <signal.h>
#include <stddef.h>
#include <string.h>
#include <unistd.h>

#include "ir/diag.h"

#ifdef __has_feature
#if __has_feature(address_sanitizer) || __has_feature(thread_sanitizer) || __has_feature(memory_sanitizer)
#define HAS_SANITIZER 1
#endif
#endif
#if defined __SANITIZE_ADDRESS__ || defined __SANITIZE_THREAD__
#define HAS_SANITIZER 1
#endif

enum { STACK_BYTES = 64 * 1024 };

#define INTERNAL_ERROR(words) "mikgen: internal error: " words "\n" FAULT_OF_MIKGEN
static const struct {
    int number;
    const char *message;
} crashes[] = {
    {SIGSEGV, INTERNAL_ERROR("segmentation fault")},
    {SIGBUS, INTERNAL_ERROR("bus error")},
    {SIGFPE, INTERNAL_ERROR("arithmetic exception")},
    {SIGILL, INTERNAL_ERROR("illegal instruction")},
    {SIGABRT, INTERNAL_ERROR("aborted")},
};
enum { CRASHES = sizeof crashes / sizeof *crashes };

static void tell(int number)
{
    for (int i = 0; i < CRASHES; i++)
        if (crashes[i].number == number && write(STDERR_FILENO, crashes[i].message, strlen(crashes[i].message)) < 0)
            break; /* nobody reads it */
    _exit(2);
}

void crash_has_stack(void)
{
#ifndef HAS_SANITIZER
    static _Thread_local char stack[STACK_BYTES];
    const stack_t own = {.ss_sp = stack, .ss_size = sizeof stack};
    sigaltstack(&own, NULL);
#endif
}

void crash_is_internal_error(void)
{
#ifndef HAS_SANITIZER
    const struct sigaction action = {.sa_handler = tell, .sa_flags = SA_ONSTACK | (int)SA_RESETHAND};
    for (int i = 0; i < CRASHES; i++)
        sigaction(crashes[i].number, &action, NULL);
#else
    (void)tell;
#endif
    crash_has_stack();
}
