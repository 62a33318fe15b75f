/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Runs templates/render.py in a child process: the model is a file without a name, the text comes back on a
 * pipe. */
#include "emit/render.h"

#include <errno.h>
#include <fcntl.h>
#include <spawn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

extern char **environ;

/* The model as a file without a name: the child reads it at its own pace, so no pipe can fill up. */
static FILE *model_file(const json_t *model)
{
    FILE *f = tmpfile();
    if (!f || json_dumpf(model, f, JSON_SORT_KEYS | JSON_COMPACT) != 0 || fflush(f) != 0 || fseek(f, 0, SEEK_SET) != 0)
        return NULL;
    return f;
}

static bool collect(int fd, Text *out)
{
    char buf[65537];
    ssize_t got;
    while ((got = read(fd, buf, sizeof buf - 1)) != 0) {
        if (got < 0) {
            if (errno == EINTR)
                continue;
            return false;
        }
        buf[got] = '\0';
        text_puts(out, buf);
    }
    return true;
}

bool render(const char *templates, const char *compiled, const char *name, const json_t *model, Text *out)
{
    char *script = malloc(strlen(templates) + sizeof "/render.py");
    FILE *input = model_file(model);
    int pipes[2];
    if (!script || !input || pipe(pipes) != 0) {
        fprintf(stderr, "mikgen: cannot start the template engine: %s\n", strerror(errno));
        free(script);
        return false;
    }
    sprintf(script, "%s/render.py", templates);
    fcntl(pipes[0], F_SETFD, FD_CLOEXEC);
    posix_spawn_file_actions_t actions;
    posix_spawn_file_actions_init(&actions);
    posix_spawn_file_actions_adddup2(&actions, fileno(input), 0);
    posix_spawn_file_actions_adddup2(&actions, pipes[1], 1);
    posix_spawn_file_actions_addclose(&actions, pipes[1]);
    char *argv[] = {(char *)MIKGEN_PYTHON, "-I", "-B", script, (char *)templates, (char *)name, (char *)compiled, NULL};
    pid_t pid;
    int failed = posix_spawn(&pid, MIKGEN_PYTHON, &actions, NULL, argv, environ);
    posix_spawn_file_actions_destroy(&actions);
    close(pipes[1]);
    bool ok = failed == 0;
    int status = 0;
    if (ok) {
        ok = collect(pipes[0], out);
        while (waitpid(pid, &status, 0) < 0 && errno == EINTR)
            ;
        ok = ok && WIFEXITED(status) && WEXITSTATUS(status) == 0;
    } else {
        fprintf(stderr, "mikgen: cannot run %s: %s\n", MIKGEN_PYTHON, strerror(failed));
    }
    close(pipes[0]);
    fclose(input);
    free(script);
    return ok;
}
