/* Prints at most a few times a second; knows how much is left from how much is done. */
#include "tune/progress.h"

#include <stdio.h>
#include <unistd.h>

enum { WIDTH = 30 };

Progress progress_begin(double total) { return (Progress){.total = total, .is_terminal = isatty(STDERR_FILENO), .shown = -1}; }

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
    fprintf(stderr, "\r[%s] %3d %%  %-40.40s", bar, now, part);
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
        fprintf(stderr, "\r%*s\r", WIDTH + 52, "");
    p->shown = -1;
}
