/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "turns.h"

#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/file.h>
#include <unistd.h>

#include "machine.h"

static const double TURN = 60;

Turns turns_open(const char *path)
{
    Turns turns = {.file = path ? open(path, O_RDWR | O_CREAT | O_CLOEXEC, 0666) : -1};
    if (path && turns.file < 0) {
        perror(path);
        exit(2);
    }
    return turns;
}

void turns_take(Turns *turns)
{
    if (turns->file < 0 || (turns->since > 0 && seconds() - turns->since < TURN))
        return;
    flock(turns->file, LOCK_UN);
    flock(turns->file, LOCK_EX);
    turns->since = seconds();
}

void turns_close(Turns *turns)
{
    if (turns->file >= 0)
        close(turns->file);
}
