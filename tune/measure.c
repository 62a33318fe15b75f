/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Takes rounds of all measurements until they agree, and waits while the machine is busy. */
#include "tune/measure.h"

#include <time.h>

Group *group_new(Arena *arena, Vec *groups, const char *name, bool quick)
{
    Group *group = arena_new_array(arena, Group, 1);
    group->name = name;
    group->least = quick ? 1 : 3;
    group->most = quick ? 2 : ROUNDS;
    vec_push(arena, groups, group);
    return group;
}

void group_add(Arena *arena, Group *group, Item *item, RecordKey key, const char *field, int capacity)
{
    item->key = key;
    item->field = field;
    item->capacity = capacity;
    item->points = arena_new_array(arena, Point, capacity);
    vec_push(arena, &group->items, item);
}

void item_add_point(Item *item, double t, const char *request)
{
    if (item->npoints == item->capacity)
        internal_error("too many measurements of one thing");
    item->points[item->npoints++] = (Point){.request = request, .t = t};
}

double measure_clock(void)
{
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return 1e9 * (double)t.tv_sec + (double)t.tv_nsec;
}

/* Whether the references are as fast as they ever were. False in *ok when interrupted or broken. */
static bool is_quiet(Session *session, Quiet *q, bool *ok)
{
    const double tolerance = 0.12;
    bool quiet = true;
    for (int i = 0; *ok && i < REFERENCES && q->request[i]; i++) {
        double time = session_number(session, q->request[i]);
        *ok = time >= 0;
        if (q->best[i] == 0 || time < q->best[i])
            q->best[i] = time;
        quiet &= time <= q->best[i] * (1 + tolerance);
    }
    return quiet;
}

bool quiet_begin(Session *session, Quiet *quiet)
{
    enum { TIMES = 60 };
    const struct timespec pause = {.tv_nsec = 25 * 1000 * 1000};
    bool ok = true;
    for (int i = 0; ok && quiet->request[0] && i < TIMES; i++) {
        is_quiet(session, quiet, &ok);
        nanosleep(&pause, NULL);
    }
    return ok;
}

/* One more answer for each point of an item that is not settled; how many. False in *ok as above. */
static int measure_item(Session *session, Item *item, bool all, bool *ok)
{
    const double tolerance = 0.02;
    int asked = 0;
    for (int p = 0; *ok && p < item->npoints; p++) {
        Point *point = &item->points[p];
        if (!all && fit_agrees(point->times, point->n, tolerance))
            continue;
        double time = session_number(session, point->request);
        *ok = time >= 0;
        point->times[point->n++] = time > 1e-6 ? time : 1e-6;
        asked++;
    }
    return asked;
}

/* Forgets what measure_item added. */
static void forget(Item *item, const int *count)
{
    for (int p = 0; p < item->npoints; p++)
        item->points[p].n = count[p];
}

/* The same between two quiet moments, as long as patience lasts. */
static int measure_quietly(Session *session, Quiet *q, Item *item, bool all, bool *ok)
{
    int count[FIT_POINTS];
    for (int p = 0; p < item->npoints; p++)
        count[p] = item->points[p].n;
    for (;;) {
        double from = measure_clock();
        int asked = measure_item(session, item, all, ok);
        if (!*ok || asked == 0 || is_quiet(session, q, ok))
            return asked;
        if (q->patience <= 0) {
            q->rushed++;
            return asked;
        }
        while (*ok && q->patience > 0) {
            q->patience -= measure_clock() - from;
            from = measure_clock();
            if (is_quiet(session, q, ok))
                break;
        }
        forget(item, count);
    }
}

static bool is_late(const Group *group) { return group->deadline > 0 && measure_clock() > group->deadline; }

bool measure_group(Session *session, Progress *progress, Quiet *quiet, const Group *group)
{
    bool ok = true;
    int asked = 1;
    for (int round = 0; ok && asked && round < group->most; round++) {
        asked = 0;
        for (int i = 0; ok && i < group->items.count && !is_late(group); i++) {
            Item *item = group->items.items[i];
            int n = measure_quietly(session, quiet, item, round < group->least, &ok);
            if (round < group->least)
                progress_add(progress, n, group->name);
            asked += n;
        }
    }
    return ok;
}
