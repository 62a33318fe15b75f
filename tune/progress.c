/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Prints at most a few times a second; knows how much is left from how much is done. */
#include "tune/progress.h"

#include <stdio.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

enum { WIDTH = 30, SILENCE = 10 /* seconds */ };

/* What was said last, which stages and parts share: they take turns. */
static struct Said {
    char stage[100];
    double began;   /* that stage, */
    double last;    /* and when anything was said */
    bool is_line;   /* there is a stage's line on the terminal */
} said;

static double seconds(void)
{
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

static bool is_terminal(void) { return isatty(STDERR_FILENO) != 0; }

void progress_stage(const char *what)
{
    const bool again = strcmp(said.stage, what) == 0;
    snprintf(said.stage, sizeof said.stage, "%s", what);
    said.began = seconds();
    if (is_terminal()) {
        fprintf(stderr, "\r%-*.*s", WIDTH + 59, WIDTH + 59, what);
        said.is_line = true;
    } else if (!again) {
        fprintf(stderr, "mikgen: %s\n", what);
    }
    said.last = again && !is_terminal() ? said.last : said.began;
}

void progress_stage_goes_on(void)
{
    const double now = seconds();
    if (now - said.last < (is_terminal() ? 1 : SILENCE))
        return;
    char text[sizeof said.stage + 20];
    snprintf(text, sizeof text, "%s, %.0f s", said.stage, now - said.began);
    fprintf(stderr, is_terminal() ? "\r%-*s" : "mikgen: %-*s\n", is_terminal() ? WIDTH + 59 : 0, text);
    said.last = now;
}

void progress_stage_end(void)
{
    if (said.is_line)
        fprintf(stderr, "\r%*s\r", WIDTH + 60, "");
    said.is_line = false;
}

Progress progress_begin(double total) { return (Progress){.total = total, .is_terminal = is_terminal(), .shown = -1, .began = seconds()}; }

static int percent(const Progress *p) { return p->total > 0 ? (int)(100 * (p->done < p->total ? p->done : p->total) / p->total) : 100; }

static double left(const Progress *p) { return p->done > 0 && p->total > p->done ? (seconds() - p->began) * (p->total / p->done - 1) : 0; }

static void add_line(const Progress *p, const char *part)
{
    if (seconds() - said.last < SILENCE)
        return;
    fprintf(stderr, "%3d %%  %.0f s left, %s\n", percent(p), left(p), part);
    said.last = seconds();
}

void progress_add(Progress *p, double amount, const char *part)
{
    p->done += amount;
    int now = percent(p);
    if (!p->is_terminal) {
        add_line(p, part);
        return;
    }
    if (now == p->shown && !said.is_line)
        return;
    char bar[WIDTH + 1];
    for (int i = 0; i < WIDTH; i++)
        bar[i] = i * 100 < now * WIDTH ? '#' : '.';
    bar[WIDTH] = '\0';
    fprintf(stderr, "\r[%s] %3d %% %4.0f s left  %-36.36s", bar, now, left(p), part);
    p->shown = now;
    said.is_line = false;
    said.last = seconds();
}

void progress_part(Progress *p, const char *part)
{
    if (p->is_terminal)
        return;
    fprintf(stderr, "%3d %%  %s\n", percent(p), part);
    said.last = seconds();
}

void progress_end(Progress *p)
{
    progress_stage_end();
    if (p->is_terminal && p->shown >= 0)
        fprintf(stderr, "\r%*s\r", WIDTH + 60, "");
    p->shown = -1;
}
