/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Runs templates/render.py in a child process, which reads the model from a socket and writes the text to it: nothing lies on a disk. */
#include "emit/render.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <spawn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "ir/diag.h"

extern char **environ;

enum { MISSING = 3 }; /* exit status of render.py where Jinja is not installed */

/* What is read at once. False: that was all. *failed if it is no text. */
static bool receive(int fd, Text *out, bool *failed)
{
    char buf[65537];
    const ssize_t got = read(fd, buf, sizeof buf - 1);
    if (got < 0 && errno == EINTR)
        return true;
    if (got <= 0) {
        /* A child that has not read all of the model resets the connection. */
        *failed |= got < 0 && errno != ECONNRESET;
        return false;
    }
    buf[got] = '\0';
    if (memchr(buf, 0, (size_t)got)) {
        if (!*failed)
            fputs("mikgen: a template printed a zero byte\n", stderr);
        *failed = true;
    } else {
        text_puts(out, buf);
    }
    return true;
}

/* Sends the model while the child takes it, and collects what it prints until it ends. */
static bool exchange(int fd, const char *model, Text *out)
{
    size_t left = strlen(model);
    bool failed = false, more = true;
    while (more) {
        struct pollfd ready = {.fd = fd, .events = left ? POLLIN | POLLOUT : POLLIN};
        if (poll(&ready, 1, -1) < 0)
            continue;
        if (left && (ready.revents & (POLLOUT | POLLERR | POLLHUP))) {
            const ssize_t sent = send(fd, model, left, MSG_NOSIGNAL | MSG_DONTWAIT);
            if (sent > 0) {
                model += sent;
                left -= (size_t)sent;
            } else if (errno != EAGAIN && errno != EWOULDBLOCK && errno != EINTR) {
                left = 0; /* the child has ended, and says why */
            }
            if (!left)
                shutdown(fd, SHUT_WR);
        }
        if (ready.revents & (POLLIN | POLLERR | POLLHUP))
            more = receive(fd, out, &failed);
    }
    return !failed;
}

/* Starts the child with one end of the connection as its standard input and output; 0 or an error number. */
static int start(pid_t *pid, int end, char *const argv[])
{
    posix_spawn_file_actions_t actions;
    posix_spawn_file_actions_init(&actions);
    posix_spawn_file_actions_adddup2(&actions, end, 0);
    posix_spawn_file_actions_adddup2(&actions, end, 1);
    const int failed = posix_spawnp(pid, argv[0], &actions, NULL, argv, environ);
    posix_spawn_file_actions_destroy(&actions);
    return failed;
}

/* How the child has ended. */
static Rendered wait_for(pid_t pid)
{
    int status = 0;
    while (waitpid(pid, &status, 0) < 0 && errno == EINTR)
        ;
    if (WIFSIGNALED(status))
        fprintf(stderr, "mikgen: signal %d ended the template engine\n", WTERMSIG(status));
    if (WIFEXITED(status) && WEXITSTATUS(status) == MISSING)
        return RENDER_MISSING;
    return WIFEXITED(status) && WEXITSTATUS(status) == 0 ? RENDERED : RENDER_FAILED;
}

Rendered render(Arena *arena, const char *templates, const char *compiled, const char *name, const json_t *model, Text *out)
{
    struct stat kind;
    const bool is_archive = stat(templates, &kind) == 0 && S_ISREG(kind.st_mode);
    const char *python = is_archive ? "python3" : MIKGEN_PYTHON; /* an archive has its own Jinja: any Python will do */
    const char *script = is_archive ? templates : arena_printf(arena, "%s/render.py", templates);
    char *argv[] = {(char *)python, "-I", "-B", (char *)script, (char *)templates, (char *)name, (char *)compiled, NULL};
    int ends[2];
    pid_t pid;
    if (socketpair(AF_UNIX, SOCK_STREAM, 0, ends) != 0) {
        fprintf(stderr, "mikgen: error: the template engine cannot be started: %s\nhelp: see the limits of the system\n", strerror(errno));
        return RENDER_MISSING;
    }
    fcntl(ends[0], F_SETFD, FD_CLOEXEC);
    fcntl(ends[1], F_SETFD, FD_CLOEXEC);
    const int failed = start(&pid, ends[1], argv);
    close(ends[1]);
    if (failed) {
        fprintf(stderr, "mikgen: error: %s: %s\nhelp: install Python 3%s\n", python, strerror(failed),
                is_archive ? "" : " and Jinja there: apt-get install python3-jinja2");
        close(ends[0]);
        return RENDER_MISSING;
    }
    char *text = json_dumps(model, JSON_SORT_KEYS | JSON_COMPACT);
    if (!text)
        internal_error("the model of the templates is no JSON");
    const bool ok = exchange(ends[0], text, out);
    free(text);
    close(ends[0]);
    const Rendered rendered = wait_for(pid);
    return ok ? rendered : RENDER_FAILED;
}
