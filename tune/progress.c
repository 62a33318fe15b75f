/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Prints at most a few times a second; knows how much is left from how much is done. */
#include "tune/progress.h"

#include <stdio.h>
#include <time.h>
#include <unistd.h>

enum { WIDTH = 30 };

static double seconds(void)
{
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

Progress progress_begin(double total)
{
    return (Progress){.total = total, .is_terminal = isatty(STDERR_FILENO), .shown = -1, .began = seconds()};
}

static int percent(const Progress *p) { return p->total > 0 ? (int)(100 * (p->done < p->total ? p->done : p->total) / p->total) : 100; }

void progress_add(Progress *p, double amount, const char *part)
{
    p->done += amount;
    int now = percent(p);
    if (!p->is_terminal || now == p->shown)
        return;
    char bar[WIDTH + 1];
    for (int i = 0; i < WIDTH; i++)
        bar[i] = i * 100 < now * WIDTH ? '#' : '.';
    bar[WIDTH] = '\0';
    const double left = p->done > 0 && p->total > p->done ? (seconds() - p->began) * (p->total / p->done - 1) : 0;
    fprintf(stderr, "\r[%s] %3d %% %4.0f s left  %-36.36s", bar, now, left, part);
    p->shown = now;
}

void progress_part(Progress *p, const char *part)
{
    if (!p->is_terminal)
        fprintf(stderr, "%3d %%  %s\n", percent(p), part);
}

void progress_end(Progress *p)
{
    if (p->is_terminal && p->shown >= 0)
        fprintf(stderr, "\r%*s\r", WIDTH + 60, "");
    p->shown = -1;
}
