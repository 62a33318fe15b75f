/* SPDX-License-Identifier: GPL-3.0-or-later */
/* A child process and two pipes, with a time limit for each answer. */
#include "tune/session.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <spawn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

extern char **environ;

struct Session {
    Arena *arena;
    pid_t pid;
    int to, from;
    bool is_broken;
};

/* What signals meant before the first of the sessions that there are. */
static struct sigaction old_int, old_term, old_pipe;
static int nsessions;

static volatile sig_atomic_t caught;

static void catch_signal(int number) { caught = number; }

int session_signal(void) { return caught; }

/* Without SA_RESTART, so that a read that waits for an answer returns. What is ignored stays so (nohup). */
static void watch(int number, struct sigaction *old)
{
    struct sigaction action = {.sa_handler = catch_signal};
    if (sigaction(number, NULL, old) == 0 && old->sa_handler != SIG_IGN)
        sigaction(number, &action, NULL);
}

void session_watch(void)
{
    struct sigaction ignore = {.sa_handler = SIG_IGN};
    if (nsessions++)
        return;
    caught = 0;
    watch(SIGINT, &old_int);
    watch(SIGTERM, &old_term);
    sigaction(SIGPIPE, &ignore, &old_pipe);
}

void session_unwatch(void)
{
    if (--nsessions)
        return;
    sigaction(SIGINT, &old_int, NULL);
    sigaction(SIGTERM, &old_term, NULL);
    sigaction(SIGPIPE, &old_pipe, NULL);
}

static void complain(Session *s, const char *what)
{
    if (!s->is_broken)
        fprintf(stderr, "mikgen: error: the measuring program %s\nhelp: call mikgen tune again; what is measured is not lost\n", what);
    s->is_broken = true;
}

/* In a process group of its own: Ctrl-C is for us alone. */
static int spawn(Session *s, const char *program, const char *sample, const int in[2], const int out[2])
{
    posix_spawn_file_actions_t files;
    posix_spawnattr_t attributes;
    char *argv[] = {(char *)program, (char *)sample, NULL};
    posix_spawn_file_actions_init(&files);
    posix_spawn_file_actions_adddup2(&files, in[0], 0);
    posix_spawn_file_actions_adddup2(&files, out[1], 1);
    posix_spawnattr_init(&attributes);
    posix_spawnattr_setflags(&attributes, POSIX_SPAWN_SETPGROUP);
    posix_spawnattr_setpgroup(&attributes, 0);
    int failed = posix_spawn(&s->pid, program, &files, &attributes, argv, environ);
    posix_spawnattr_destroy(&attributes);
    posix_spawn_file_actions_destroy(&files);
    return failed;
}

Session *session_begin(Arena *arena, const char *program, long sample_ns)
{
    Session *s = arena_new_array(arena, Session, 1);
    int in[2], out[2];
    s->arena = arena;
    if (pipe(in) != 0) {
        complain(s, strerror(errno));
        return NULL;
    }
    if (pipe(out) != 0) {
        complain(s, strerror(errno));
        close(in[0]), close(in[1]);
        return NULL;
    }
    for (int i = 0; i < 2; i++) {
        fcntl(in[i], F_SETFD, FD_CLOEXEC);
        fcntl(out[i], F_SETFD, FD_CLOEXEC);
    }
    session_watch();
    int failed = spawn(s, program, arena_printf(arena, "%ld", sample_ns), in, out);
    close(in[0]), close(out[1]);
    s->to = in[1], s->from = out[0];
    if (failed) {
        close(s->to), close(s->from);
        session_unwatch();
        complain(s, arena_printf(arena, "cannot be started: %s", strerror(failed)));
        return NULL;
    }
    return s;
}

static bool send(Session *s, const char *line, size_t len)
{
    for (size_t sent = 0; sent < len;) {
        ssize_t n = write(s->to, line + sent, len - sent);
        if (n < 0 && errno == EINTR && !caught)
            continue;
        if (n <= 0)
            return false;
        sent += (size_t)n;
    }
    return true;
}

/* The length of the line that came, without its end; -1 if none did. */
static ssize_t receive(Session *s, char *answer, size_t room)
{
    for (size_t used = 0; used < room;) {
        ssize_t n = read(s->from, answer + used, room - used);
        if (n < 0 && errno == EINTR && !caught)
            continue;
        if (n <= 0)
            return -1;
        used += (size_t)n;
        if (answer[used - 1] == '\n')
            return (ssize_t)used - 1;
    }
    return -1;
}

const char *session_ask(Session *s, const char *request)
{
    enum { ANSWER = 4096 };
    char answer[ANSWER];
    const char *line = arena_printf(s->arena, "%s\n", request);
    if (caught || s->is_broken)
        return NULL;
    ssize_t len = send(s, line, strlen(line)) ? receive(s, answer, sizeof answer) : -1;
    if (len >= 0)
        return arena_strndup(s->arena, answer, (size_t)len);
    if (!caught)
        complain(s, arena_printf(s->arena, "ended when asked for: %s", request));
    return NULL;
}

double session_number(Session *s, const char *request)
{
    const char *answer = session_ask(s, request);
    char *end;
    double x = answer ? strtod(answer, &end) : -1;
    if (answer && (end == answer || *end || !(x >= 0))) {
        complain(s, arena_printf(s->arena, "answers '%s' to: %s", answer, request));
        return -1;
    }
    return x;
}

void session_end(Session *s)
{
    close(s->to);
    close(s->from);
    kill(-s->pid, SIGKILL); /* its whole group: it may be in the middle of a measurement */
    while (waitpid(s->pid, NULL, 0) < 0 && errno == EINTR)
        ;
    session_unwatch();
}
