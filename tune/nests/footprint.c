/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "tune/nests/footprint.h"

#include <math.h>
#include <stdlib.h>

#include "tune/nests/memory_pieces.h"

/* ---------------------------------------------------------------- one piece */

/* So many steps of so many bytes. */
typedef struct Steps {
    double bytes, count;
} Steps;

static int compare_steps(const void *left, const void *right)
{
    const Steps *a = left, *b = right;
    return (a->bytes > b->bytes) - (a->bytes < b->bytes);
}

static const ReplayLoop *loop_of(const Footprint *f, int loop) { return f->replay->loops.items[loop]; }

/* Where a piece goes in the loops from its own out to one of so many around. */
typedef struct Reach {
    Steps steps[DUAL_LOOPS + 1];
    int count;
    double low, high;  /* bytes of the array */
    double random;     /* runs that are nobody knows where */
} Reach;

static Reach reach_of(const Footprint *f, const Piece *p, int outermost)
{
    Reach r = {.low = p->low, .high = p->low + p->bytes + p->apart * (p->copies - 1), .random = p->scattered};
    if (p->copies > 1)
        r.steps[r.count++] = (Steps){p->apart, p->copies};
    for (const ReplayLoop *loop = loop_of(f, p->loop); loop->depth >= outermost && loop->depth >= 0; loop = loop_of(f, loop->parent)) {
        const double slope = p->slope[loop->depth];
        if (p->wild >> loop->depth & 1)
            r.random *= loop->trips;
        if (slope == 0)
            continue;
        r.steps[r.count++] = (Steps){fabs(slope), loop->trips};
        r.low += fmin(-slope * loop->at, slope * (loop->trips - 1 - loop->at));
        r.high += fmax(-slope * loop->at, slope * (loop->trips - 1 - loop->at));
    }
    qsort(r.steps, (size_t)r.count, sizeof *r.steps, compare_steps);
    return r;
}

/* What is touched of an array: `chunks` runs, `period` bytes from one another (0: there is but one), the first at `low`. */
typedef struct Area {
    double low, high; /* all of it */
    double run, period, chunks, bytes;
    bool stores, random;
} Area;

/* In grains (lines, pages; 1: bytes). Steps that leave no grain out make one run; larger ones separate runs, which meet those of smaller
 * steps where they are as long as several of these. */
static Area area_of(const Piece *p, const Reach *r, double grain)
{
    Area a = {.low = r->low, .high = r->high, .run = p->bytes, .chunks = 1, .stores = p->stores, .random = r->random > 1};
    Steps last = {0, 1};
    for (int i = 0; i < r->count; i++) {
        const Steps *s = &r->steps[i];
        if (last.bytes == 0 && s->bytes <= fmax(a.run, grain))
            a.run += s->bytes * (s->count - 1);
        else if (last.bytes > 0 && s->bytes < last.bytes * last.count)
            last.count += ceil(s->bytes / last.bytes) * (s->count - 1);
        else {
            a.chunks *= last.count;
            a.period = a.period == 0 ? s->bytes : a.period;
            last = *s;
        }
    }
    a.run = fmax(a.run, grain);
    a.chunks *= last.count;
    a.bytes = a.run * a.chunks * r->random;
    const double most = fmax(p->array_bytes, grain);
    if (a.random && isfinite(most))
        a.bytes = most * -expm1(-a.bytes / most); /* some meet */
    return a;
}

/* ---------------------------------------------------------------- all of a loop */

static double within_period(const Area *a) { return a->period > 0 ? a->low - floor(a->low / a->period) * a->period : a->low; }

static bool overlap(double low, double high, double other_low, double other_high) { return low < other_high && other_low < high; }

/* Runs of as many bytes apart, in one part of the array, in one part of the period. */
static bool meet(const Area *a, const Area *b)
{
    const double x = within_period(a), y = within_period(b);
    return !a->random && !b->random && a->period == b->period && overlap(a->low, a->high, b->low, b->high) &&
           overlap(x, x + a->run, y, y + b->run);
}

static void join(Area *to, const Area *a)
{
    const double x = within_period(to), y = within_period(a), low = fmin(x, y);
    to->run = fmax(x + to->run, y + a->run) - low;
    to->low += low - x;
    to->high = fmax(to->high, a->high);
    to->chunks = fmax(to->chunks, a->chunks);
    to->bytes = to->run * to->chunks;
    to->stores = to->stores || a->stores;
}

typedef struct Sums {
    double bytes, stored;
    double pages; /* that the bytes of each array would fill */
} Sums;

/* Of one array, of so many bytes, which the areas have no more of than lies between the first and the last. */
static void add_union(const Footprint *f, Area *areas, int count, double most, Sums *sums)
{
    double low = INFINITY, high = -INFINITY, bytes = 0, stored = 0;
    int kept = 0;
    for (int i = 0; i < count; i++) {
        int with = 0;
        low = areas[i].random ? -INFINITY : fmin(low, areas[i].low);
        high = fmax(high, fmax(areas[i].high, areas[i].low + areas[i].run));
        while (with < kept && !meet(&areas[with], &areas[i]))
            with++;
        if (with < kept)
            join(&areas[with], &areas[i]);
        else
            areas[kept++] = areas[i];
    }
    for (int i = 0; i < kept; i++) {
        bytes += areas[i].bytes;
        stored += areas[i].stores ? areas[i].bytes : 0;
    }
    const double all = fmin(bytes, fmin(most, high - low));
    sums->bytes += all;
    sums->stored += fmin(stored, all);
    sums->pages += ceil(all / f->machine.page);
}

static bool is_inside(const Footprint *f, int loop, int around)
{
    while (loop > around)
        loop = loop_of(f, loop)->parent;
    return loop == around;
}

/* Of what is in the loop, one iteration of it or all. */
static Sums touched_in(const Footprint *f, int loop, bool once, double grain)
{
    const int outermost = loop_of(f, loop)->depth + once, count = f->pieces.count;
    Area *areas = arena_new_array(f->arena, Area, count + 1);
    Sums sums = {0};
    int n = 0;
    for (int i = 0; i < count; i++) {
        const Piece *p = f->pieces.items[i], *next = i + 1 < count ? f->pieces.items[i + 1] : NULL;
        if (is_inside(f, p->loop, loop)) {
            const Reach r = reach_of(f, p, outermost);
            areas[n++] = area_of(p, &r, grain);
        }
        if (n && (!next || next->array != p->array)) {
            add_union(f, areas, n, fmax(p->array_bytes, grain), &sums);
            n = 0;
        }
    }
    return sums;
}

static void note_past(Footprint *f)
{
    for (int i = 0; i < f->replay->accesses.count; i++) {
        const ReplayAccess *a = f->replay->accesses.items[i];
        const double bytes = a->stores ? a->times * a->run * a->lanes * a->element : 0;
        f->stored += bytes;
        f->non_temporal += a->non_temporal ? bytes : 0;
    }
}

Footprint *footprint_of(const Replay *replay, const Machine *machine, Arena *arena)
{
    Footprint *f = arena_alloc(arena, sizeof *f);
    const int loops = replay->loops.count;
    *f = (Footprint){.replay = replay, .machine = *machine, .arena = arena, .pieces = pieces_of(replay, arena)};
    f->once = arena_new_array(arena, double, 4 * loops);
    f->all = f->once + loops;
    f->moved = f->once + 2 * loops;
    f->used = f->once + 3 * loops;
    for (int i = 0; i < loops; i++) {
        const Sums once = touched_in(f, i, true, machine->line), all = touched_in(f, i, false, machine->line);
        f->once[i] = once.bytes;
        f->all[i] = all.bytes;
        f->moved[i] = all.bytes + all.stored;
        f->used[i] = touched_in(f, i, false, 1).bytes;
    }
    note_past(f);
    return f;
}

/* ---------------------------------------------------------------- caches */

typedef enum Measure { MEASURE_LINES, MEASURE_MOVED, MEASURE_WANTED } Measure;

static double of_loop(const Footprint *f, int loop, Measure measure)
{
    return measure == MEASURE_LINES ? f->all[loop] : measure == MEASURE_MOVED ? f->moved[loop] : f->used[loop];
}

/* Each time that the piece is touched. */
static double of_piece(const Footprint *f, const Piece *p, Measure measure)
{
    const double bytes = measure == MEASURE_WANTED ? p->bytes : fmax(p->bytes, f->machine.line);
    return p->times * p->copies * p->scattered * bytes * (measure == MEASURE_MOVED && p->stores ? 2 : 1);
}

/* Of all times that the loop runs, where the cache holds an iteration; elsewhere what is inside, and each access of its own. */
static double fetched(const Footprint *f, int loop, double cache_bytes, Measure measure)
{
    double sum = 0;
    if (f->once[loop] <= cache_bytes)
        return loop_of(f, loop)->runs * of_loop(f, loop, measure);
    for (int i = loop + 1; i < f->replay->loops.count; i++)
        if (loop_of(f, i)->parent == loop)
            sum += fetched(f, i, cache_bytes, measure);
    for (int i = 0; i < f->pieces.count; i++) {
        const Piece *p = f->pieces.items[i];
        sum += p->loop == loop ? of_piece(f, p, measure) : 0;
    }
    return sum;
}

double bytes_beyond(const Footprint *f, double cache_bytes)
{
    return f->all[0] <= cache_bytes ? 0 : fetched(f, 0, cache_bytes, MEASURE_MOVED);
}

double share_wanted(const Footprint *f, double cache_bytes)
{
    const double lines = fetched(f, 0, cache_bytes, MEASURE_LINES), wanted = fetched(f, 0, cache_bytes, MEASURE_WANTED);
    return lines > 0 ? fmin(1, wanted / lines) : 1;
}

/* ---------------------------------------------------------------- one loop */

double pages_per_full_page(const Footprint *f, int loop)
{
    const double full = touched_in(f, loop, false, 1).pages;
    return fmax(1, touched_in(f, loop, false, f->machine.page).bytes / f->machine.page / fmax(1, full));
}

int streams_of(const Footprint *f, int loop)
{
    int streams = 0;
    for (int i = 0; i < f->pieces.count; i++) {
        const Piece *p = f->pieces.items[i];
        if (p->loop == loop && loop > 0 && p->slope[loop_of(f, loop)->depth] != 0)
            streams += p->copies < MOST_STREAMS ? (int)p->copies : MOST_STREAMS;
    }
    return streams;
}
