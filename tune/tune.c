/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Groups of measurements for each instruction set, and the records that are fitted to them. */
#include "tune/tune.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "tune/describe.h"
#include "tune/measure.h"

typedef struct Tuner {
    Arena *arena;
    const TuneInput *in;
    Profile *profile;
    Session *session;
    Vec groups; /* Group * */
    Quiet quiet;
    int cores;
} Tuner;

/* ---- What to measure ---- */

static Item *add_item(Tuner *t, Group *group, RecordKey key, const char *field, int capacity)
{
    Item *item = arena_new_array(t->arena, Item, 1);
    group_add(t->arena, group, item, key, field, capacity);
    return item;
}

static Group *add_group(Tuner *t, const char *name) { return group_new(t->arena, &t->groups, name, t->in->quick); }

/* Whether there is no need to measure it. */
static bool is_known(const Tuner *t, RecordKey key, const char *field) { return !t->in->again && profile_get(t->profile, &key, field); }

static void finish_kernel(Arena *arena, Item *item, Profile *profile)
{
    double x[FIT_POINTS], y[FIT_POINTS], g[G_KNOTS];
    for (int i = 0; i < item->npoints; i++) {
        x[i] = item->points[i].t;
        y[i] = fit_robust(item->points[i].times, item->points[i].n);
    }
    fit_monotone(y, item->npoints);
    fit_g(x, y, item->npoints, g);
    const double *known = profile_get(profile, &item->key, item->field);
    for (int i = 0; known && i < G_KNOTS; i++)
        g[i] = known[i] < g[i] ? known[i] : g[i];
    profile_put(arena, profile, &item->key, item->field, g);
}

/* Nanoseconds of a typical tile of inner products, to compare two results of fit_terms. */
static double dots_time(double step, double sum, double tile)
{
    enum { SUMS = 8, STEPS = 8 };
    return SUMS * (STEPS * step + sum) + tile;
}

static void finish_dots(Arena *arena, Item *item, Profile *profile)
{
    double *y = arena_new_array(arena, double, item->npoints), x[FIT_TERMS];
    for (int i = 0; i < item->npoints; i++)
        y[i] = fit_robust(item->points[i].times, item->points[i].n);
    fit_terms(item->terms, y, item->npoints, x);
    const double *step = profile_get(profile, &item->key, "step"), *sum = profile_get(profile, &item->key, "sum"),
                 *tile = profile_get(profile, &item->key, "tile");
    if (step && dots_time(*step, *sum, *tile) <= dots_time(x[0], x[1], x[2]))
        return;
    profile_put(arena, profile, &item->key, "step", &x[0]);
    profile_put(arena, profile, &item->key, "sum", &x[1]);
    profile_put(arena, profile, &item->key, "tile", &x[2]);
}

/* A time by itself, the shorter one of two runs; or what the first one exceeds the second by, the mean of two runs,
 * because a disturbance changes it either way. */
static void finish_move(Arena *arena, Item *item, Profile *profile)
{
    double time = fit_least(item->points[0].times, item->points[0].n);
    if (item->npoints > 1)
        time -= fit_least(item->points[1].times, item->points[1].n);
    time = time > 0 ? time : 0;
    const double *known = profile_get(profile, &item->key, item->field);
    if (known)
        time = item->npoints > 1 ? (time + *known) / 2 : time < *known ? time : *known;
    profile_put(arena, profile, &item->key, item->field, &time);
}

/* The kernels of nv vectors. */
static void plan_kernels(Tuner *t, const TuneFamily *f, const KernelSet *set, int nv)
{
    const double factor = t->in->quick ? 4 : sqrt(2);
    const char *family = family_name(f->family);
    Group *group = add_group(t, arena_printf(t->arena, "%s %s, %d vector%s", family, set->isa, nv, nv > 1 ? "s" : ""));
    for (int i = 0; i < set->ntiles; i++) {
        const TileKernel *k = &set->tiles[i];
        RecordKey key = {.kind = RECORD_KERNEL, .family = f->family, .isa = set->isa, .rows = k->mr, .columns = k->nv * set->lanes};
        if (k->nv != nv || is_known(t, key, "g"))
            continue;
        Item *item = add_item(t, group, key, "g", FIT_POINTS);
        item->finish = finish_kernel;
        int last = 0;
        for (double steps = 1; last < t->in->n_pred; steps *= steps < 1000 ? factor : 2) {
            int now = (int)(steps + 0.5);
            now = now < t->in->n_pred ? now : t->in->n_pred;
            if (now != last)
                item_add_point(item, now, arena_printf(t->arena, "kernel %s %s %dx%d %d", family, set->isa, key.rows, key.columns, now));
            last = now;
        }
    }
}

/* Products of few columns, priced as the planner prices them: vector steps, sums, calls of kernels. */
static void plan_dots(Tuner *t, const TuneFamily *f, const KernelSet *set)
{
    enum { DEPTHS = 6, WIDTHS = 6, MOST_COLS = 4, ELEMENTS = 65536 };
    static const int widths[WIDTHS] = {1, 2, 3, 4, 6, 8};
    int heights[MOST_COLS + 1] = {0};
    RecordKey key = {.kind = RECORD_DOT, .family = f->family, .isa = set->isa};
    if (set->ndots == 0 || is_known(t, key, "step"))
        return;
    for (int i = 0; i < set->ndots; i++)
        if (set->dots[i].rows > heights[set->dots[i].cols])
            heights[set->dots[i].cols] = set->dots[i].rows;
    Group *group = add_group(t, arena_printf(t->arena, "%s %s, inner products", family_name(f->family), set->isa));
    Item *item = add_item(t, group, key, NULL, DEPTHS * WIDTHS);
    item->finish = finish_dots;
    item->terms = (double(*)[FIT_TERMS])arena_alloc(t->arena, sizeof *item->terms * (DEPTHS * WIDTHS));
    for (int w = 0; w < WIDTHS; w++)
        for (int d = 0, vectors = 1; d < DEPTHS && (d == 0 || vectors * set->lanes <= t->in->n_pred); d++, vectors *= 4) {
            const int k = vectors * set->lanes, n = widths[w], cols = n < MOST_COLS ? n : MOST_COLS;
            const int m = ELEMENTS / k < 8 ? 8 : ELEMENTS / k > 512 ? 512 : ELEMENTS / k;
            double *terms = item->terms[item->npoints];
            terms[0] = (double)m * n * vectors;
            terms[1] = (double)m * n;
            terms[2] = (double)((n + MOST_COLS - 1) / MOST_COLS) * ((m + heights[cols] - 1) / heights[cols]);
            item_add_point(item, k, arena_printf(t->arena, "dots %s %s %dx%d %d", family_name(f->family), set->isa, m, n, k));
        }
}

/* The kernel with which operands in place are measured: the most sums with the fewest operands. */
static const TileKernel *typical_kernel(const KernelSet *set)
{
    const TileKernel *best = &set->tiles[0];
    for (int i = 1; i < set->ntiles; i++) {
        const TileKernel *k = &set->tiles[i];
        int sums = k->mr * k->nv, most = best->mr * best->nv;
        if (sums > most || (sums == most && k->mr + k->nv < best->mr + best->nv))
            best = k;
    }
    return best;
}

/* A field of a move record from one request, or from the difference of two. */
static void plan_move(Tuner *t, Group *group, RecordKey key, const char *field, const char *request, const char *without)
{
    if (is_known(t, key, field))
        return;
    Item *item = add_item(t, group, key, field, 2);
    item->finish = finish_move;
    item_add_point(item, 0, request);
    if (without)
        item_add_point(item, 0, without);
}

static void plan_moves(Tuner *t, const TuneFamily *f, const KernelSet *set, Group *group)
{
    const char *family = family_name(f->family);
    const RecordKey key = {.kind = RECORD_MOVE, .family = f->family, .isa = set->isa};
    const TileKernel *k = typical_kernel(set);
    const char *which = arena_printf(t->arena, "%s %s %dx%d", family, set->isa, k->mr, k->nv * set->lanes);
    if (f->in_place) {
        const char *a = arena_printf(t->arena, "a %s near", which), *b = arena_printf(t->arena, "b %s near", which);
        plan_move(t, group, key, "pack", arena_printf(t->arena, "pack %s far", which), NULL);
        plan_move(t, group, key, "gather", arena_printf(t->arena, "gather %s far", which), NULL);
        plan_move(t, group, key, "column", arena_printf(t->arena, "column %s far", which), NULL);
        plan_move(t, group, key, "far", arena_printf(t->arena, "b %s far", which), b);
        plan_move(t, group, key, "conflict", arena_printf(t->arena, "b %s conflict", which), b);
        plan_move(t, group, key, "far_a", arena_printf(t->arena, "a %s far", which), a);
        plan_move(t, group, key, "conflict_a", arena_printf(t->arena, "a %s conflict", which), a);
    }
    if (f->converts)
        plan_move(t, group, key, "convert", arena_printf(t->arena, "convert %s", which), NULL);
    plan_move(t, group, key, "read", "read one", NULL);
    if (t->cores > 1) {
        plan_move(t, group, key, "read_all", "read all", NULL);
        plan_move(t, group, key, "task", "task", NULL);
    }
}

/* The first instruction set's references: a short task of the typical kernel, and short inner products, which another
 * thread on the same core slows more than anything else. */
static void watch_for_quiet(Tuner *t, Family family, const KernelSet *set)
{
    enum { STEPS = 4, ROWS = 512 };
    const TileKernel *k = typical_kernel(set);
    const char *name = family_name(family);
    if (t->in->quick || t->quiet.request[0])
        return;
    t->quiet.request[0] = arena_printf(t->arena, "kernel %s %s %dx%d %d", name, set->isa, k->mr, k->nv * set->lanes, STEPS);
    if (set->ndots)
        t->quiet.request[1] = arena_printf(t->arena, "dots %s %s %dx1 %d", name, set->isa, ROWS, set->lanes);
}

/* Everything that the profile lacks. False when the conversation broke. */
static bool plan_all(Tuner *t)
{
    /* Small differences, and memory that others use too: many repeats, far apart. */
    Group *moves = arena_new_array(t->arena, Group, 1);
    *moves = (Group){.name = "moving data", .least = t->in->quick ? 1 : FINE_ROUNDS, .most = t->in->quick ? 2 : FINE_ROUNDS};
    for (int f = 0; f < t->in->nfamilies; f++)
        for (int i = 0; i < t->in->families[f].nsets; i++) {
            const TuneFamily *family = &t->in->families[f];
            const KernelSet *set = &family->sets[i];
            if (t->in->isa && strcmp(t->in->isa, set->isa) != 0)
                continue;
            double has = session_number(t->session, arena_printf(t->arena, "isa %s %s", family_name(family->family), set->isa));
            if (has < 0)
                return false;
            if (has == 0)
                continue;
            watch_for_quiet(t, family->family, set);
            for (int nv = 1; nv < TILE_WIDTHS; nv++)
                plan_kernels(t, family, set, nv);
            plan_dots(t, family, set);
            plan_moves(t, family, set, moves);
        }
    vec_push(t->arena, &t->groups, moves);
    return true;
}

/* Nanoseconds that one measurement should last at least. */
static long sample(const TuneInput *in) { return in->quick ? 20000 : 500000; }

static bool measure_all(Tuner *t)
{
    enum { PATIENCE = 8 }; /* to wait for quiet, about as long as to measure: answers take some samples each */
    double points = 0;
    for (int g = 0; g < t->groups.count; g++) {
        const Group *group = t->groups.items[g];
        for (int i = 0; i < group->items.count; i++)
            points += ((const Item *)group->items.items[i])->npoints * group->least;
    }
    t->quiet.patience = PATIENCE * points * (double)sample(t->in);
    Progress progress = progress_begin(points);
    bool ok = quiet_begin(t->session, &t->quiet);
    for (int g = 0; ok && g < t->groups.count; g++) {
        const Group *group = t->groups.items[g];
        if (!group->items.count)
            continue;
        ok = measure_group(t->session, &progress, &t->quiet, group);
        for (int i = 0; ok && i < group->items.count; i++) {
            Item *item = group->items.items[i];
            item->finish(t->arena, item, t->profile);
        }
        if (ok)
            progress_part(&progress, group->name);
        ok = ok && t->in->save(t->in->user, t->profile);
    }
    progress_end(&progress);
    if (t->quiet.rushed)
        fprintf(stderr,
                "mikgen: note: this machine was busy; %d measurements were made while it was slow\n"
                "help: for a better profile, measure once more with --again when less else runs\n",
                t->quiet.rushed);
    return ok;
}

TuneResult tune_measure(Arena *arena, const TuneInput *in, Profile *profile, int *number)
{
    Tuner tuner = {.arena = arena, .in = in, .profile = profile}, *t = &tuner;
    t->session = session_begin(arena, in->program, sample(in));
    if (!t->session)
        return TUNE_FAILED;
    double cores = session_number(t->session, "cores");
    t->cores = (int)cores;
    bool ok = cores >= 0 && describe_machine(arena, t->session, in->compiler, profile) && plan_all(t) && measure_all(t);
    *number = session_signal();
    session_end(t->session);
    return ok ? TUNE_DONE : *number ? TUNE_INTERRUPTED : TUNE_FAILED;
}
