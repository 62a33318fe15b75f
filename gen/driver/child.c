/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Makes a temporary folder, runs a program with its output captured, waits. */
#include "gen/driver/child.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <spawn.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <time.h>

extern char **environ;

char *child_folder(Arena *arena)
{
    const char *base = getenv("TMPDIR");
    return mkdtemp(arena_printf(arena, "%s/mikgen-XXXXXX", base && *base ? base : "/tmp"));
}

/* Starts argv with SIGINT as it was for us; 0 or an error number. */
static int spawn(pid_t *pid, char *const argv[], bool is_ignored)
{
    posix_spawnattr_t attributes;
    sigset_t defaults;
    sigemptyset(&defaults);
    if (!is_ignored)
        sigaddset(&defaults, SIGINT);
    posix_spawnattr_init(&attributes);
    posix_spawnattr_setflags(&attributes, POSIX_SPAWN_SETSIGDEF);
    posix_spawnattr_setsigdefault(&attributes, &defaults);
    int failed = posix_spawnp(pid, argv[0], NULL, &attributes, argv, environ);
    posix_spawnattr_destroy(&attributes);
    return failed;
}

/* Its status, when it has ended. */
static int wait_watching(pid_t pid, ChildWatch *go_on)
{
    const struct timespec pause = {.tv_nsec = 100 * 1000 * 1000};
    int status = 0;
    pid_t ended;
    while ((ended = waitpid(pid, &status, go_on ? WNOHANG : 0)) == 0 || (ended < 0 && errno == EINTR)) {
        if (ended == 0 && !go_on())
            kill(pid, SIGTERM);
        if (ended == 0)
            nanosleep(&pause, NULL);
    }
    return status;
}

const char *child_run(char *const argv[], int *number) { return child_run_watched(argv, number, NULL); }

const char *child_run_watched(char *const argv[], int *number, ChildWatch *go_on)
{
    const struct sigaction ignore = {.sa_handler = SIG_IGN};
    struct sigaction old;
    pid_t pid;
    int status = 0;
    sigaction(SIGINT, go_on ? NULL : &ignore, &old); /* who watches knows of signals */
    int failed = spawn(&pid, argv, old.sa_handler == SIG_IGN);
    if (!failed)
        status = wait_watching(pid, go_on);
    if (!go_on)
        sigaction(SIGINT, &old, NULL);
    if (number)
        *number = !failed && WIFSIGNALED(status) ? WTERMSIG(status) : 0;
    if (failed)
        return strerror(failed);
    return WIFEXITED(status) && WEXITSTATUS(status) == 0 ? NULL : "the compiler or the compiled program failed";
}

bool child_listen(char *const argv[], int said)
{
    posix_spawn_file_actions_t actions;
    posix_spawn_file_actions_init(&actions);
    posix_spawn_file_actions_addopen(&actions, 0, "/dev/null", O_RDONLY, 0);
    posix_spawn_file_actions_adddup2(&actions, said, 1);
    posix_spawn_file_actions_adddup2(&actions, said, 2);
    pid_t pid;
    int status = 0;
    bool started = posix_spawnp(&pid, argv[0], &actions, NULL, argv, environ) == 0;
    posix_spawn_file_actions_destroy(&actions);
    while (started && waitpid(pid, &status, 0) < 0 && errno == EINTR)
        ;
    return started && WIFEXITED(status) && WEXITSTATUS(status) == 0;
}

char **child_words(Arena *arena, const char *command)
{
    Vec words = {0};
    char *copy = arena_strndup(arena, command, strlen(command));
    for (char *word = strtok(copy, " "); word; word = strtok(NULL, " "))
        vec_push(arena, &words, word);
    vec_push(arena, &words, NULL);
    return (char **)words.items;
}
