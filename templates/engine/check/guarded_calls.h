/* SPDX-License-Identifier: GPL-3.0-or-later OR LicenseRef-mikgen-output */
/* Faults inside a guarded call come back as a signal number. A fault in another thread of the operator cannot be returned
   from; it is reported and ends the program. */
#pragma once
#include "check_config.h"

static sigjmp_buf fault_return;
static volatile sig_atomic_t guarded;
static char fault_place[1000];
static __thread int main_thread;

static void on_fault(int signal_number)
{
    if (guarded && main_thread)
        siglongjmp(fault_return, signal_number);
    static const char text[] = "FAILED: fault that cannot be returned from, in or after: ";
    if (write(1, text, sizeof text - 1) < 0 || write(1, fault_place, strlen(fault_place)) < 0 || write(1, "\n", 1) < 0)
        _exit(2);
    _exit(1);
}

/* Intermediate arrays of a spec lie on the stack: it may become as large as it can, and a fault for want of it is told by another one. */
static void mik_widen_stack(void)
{
    static char other[1 << 16];
    stack_t stack;
    struct rlimit limit;
    memset(&stack, 0, sizeof stack);
    stack.ss_sp = other;
    stack.ss_size = sizeof other;
    sigaltstack(&stack, NULL);
    if (getrlimit(RLIMIT_STACK, &limit) == 0) {
        limit.rlim_cur = limit.rlim_max;
        setrlimit(RLIMIT_STACK, &limit);
    }
}

static void mik_catch_faults(void)
{
    static const int signals[] = {SIGSEGV, SIGBUS, SIGFPE, SIGILL, SIGTRAP};
    struct sigaction action;
    mik_widen_stack();
    memset(&action, 0, sizeof action);
    action.sa_handler = on_fault;
    action.sa_flags = SA_NODEFER | SA_ONSTACK;
    for (size_t i = 0; i < sizeof signals / sizeof signals[0]; i++)
        sigaction(signals[i], &action, NULL);
    main_thread = 1;
}

static const char *mik_fault_name(int signal_number)
{
    switch (signal_number) {
    case SIGSEGV:
    case SIGBUS: return "touches memory outside its arrays";
    case SIGFPE: return "divides by zero";
    default: return "stops with an illegal instruction or a trap";
    }
}
