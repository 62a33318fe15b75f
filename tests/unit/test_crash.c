/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Crashes of a thread that recurses without end: what is told, and the exit status. */
#define _DEFAULT_SOURCE
#include <pthread.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cmocka.h>

#include "ir/crash.h"

static volatile int deep = 1 << 30;

static int overflow(int depth)
{
    volatile char room[1000];
    room[0] = (char)depth;
    return depth < deep ? overflow(depth + 1) + room[0] : 0;
}

static void *overflow_on_thread(void *stack)
{
    if (stack)
        crash_has_stack();
    overflow(0);
    return NULL;
}

/* What waitpid() says of a process one of whose threads does that; message[]: what it wrote. */
static int status_of_overflow(bool stack, char message[200])
{
    int ends[2], status = 0;
    assert_int_equal(pipe(ends), 0);
    const pid_t child = fork();
    assert_true(child >= 0);
    if (child == 0) {
        pthread_t thread;
        const struct rlimit no_core = {0, 0};
        setrlimit(RLIMIT_CORE, &no_core);
        dup2(ends[1], STDERR_FILENO);
        crash_is_internal_error();
        if (pthread_create(&thread, NULL, overflow_on_thread, stack ? message : NULL) == 0)
            pthread_join(thread, NULL);
        _exit(0);
    }
    close(ends[1]);
    size_t size = 0;
    for (ssize_t n; size < 199 && (n = read(ends[0], message + size, 199 - size)) > 0;)
        size += (size_t)n;
    message[size] = 0;
    close(ends[0]);
    assert_int_equal(waitpid(child, &status, 0), child);
    return status;
}

static void test_a_stack_that_overflows_is_told(void **state)
{
    char message[200];
    (void)state;
    const int status = status_of_overflow(true, message);
    assert_string_equal(message, "mikgen: internal error: segmentation fault\nThis is a fault of mikgen, not of the input.\n");
    assert_true(WIFEXITED(status) && WEXITSTATUS(status) == 2);
}

static void test_without_a_stack_of_its_own_a_signal_ends_it(void **state)
{
    char message[200];
    (void)state;
    assert_true(WIFSIGNALED(status_of_overflow(false, message)));
    assert_string_equal(message, "");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_a_stack_that_overflows_is_told),
        cmocka_unit_test(test_without_a_stack_of_its_own_a_signal_ends_it),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
