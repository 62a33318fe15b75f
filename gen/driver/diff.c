/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Runs diff(1) with the text as its standard input, so that no file of it lies about. */
#include "gen/driver/diff.h"

#include <errno.h>
#include <spawn.h>
#include <stdio.h>
#include <sys/wait.h>

extern char **environ;

bool diff_print(Arena *arena, const char *path, const Text *text)
{
    FILE *input = tmpfile();
    if (!input)
        return false;
    char *argv[] = {"diff", "-u", "-L", (char *)path, "-L", arena_printf(arena, "%s, generated anew", path), "--", (char *)path, "-", NULL};
    bool ok = fwrite(text->data, 1, text->size, input) == text->size && fflush(input) == 0 && fseek(input, 0, SEEK_SET) == 0;
    posix_spawn_file_actions_t actions;
    posix_spawn_file_actions_init(&actions);
    posix_spawn_file_actions_adddup2(&actions, fileno(input), 0);
    pid_t pid;
    int status = 0;
    ok = ok && posix_spawnp(&pid, argv[0], &actions, NULL, argv, environ) == 0;
    posix_spawn_file_actions_destroy(&actions);
    while (ok && waitpid(pid, &status, 0) < 0 && errno == EINTR)
        ;
    fclose(input);
    return ok && WIFEXITED(status) && WEXITSTATUS(status) <= 1;
}
