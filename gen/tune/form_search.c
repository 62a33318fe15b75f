/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "gen/tune/form_search.h"

#include <string.h>

#include "tune/measure.h"
#include "tune/search/constraint_walk.h"
#include "tune/search/search.h"

enum { MOST_MEASURED = 64, MOST_QUICK = 8 };
static const double WORTH = 1.02; /* how many times as fast as what is usual a configuration has to be */

bool is_over(double deadline) { return deadline > 0 && measure_clock() > deadline; }

int64_t space_size(Arena *arena, const TuneChain *chain)
{
    TuneWalk *walk = tune_walk(arena, chain, TUNE_AC3);
    while (tune_next(walk))
        ;
    return tune_counts(walk)->survivors;
}

int search_measurements(const TuneOptions *tuning, int64_t size)
{
    const int most = tuning->trials ? tuning->trials : tuning->quick ? MOST_QUICK : MOST_MEASURED;
    return tuning->search == TUNE_SEARCH_ALL || size < most ? (int)size : most;
}

static bool is_same(const FormSearch *s, const TunePoint *a, const TunePoint *b)
{
    return memcmp(a->values, b->values, (size_t)s->chain->space.nparameters * sizeof *a->values) == 0;
}

static bool measure(FormSearch *s, const TunePoint *points, int n, int least, double *speeds)
{
    if (!s->measure(points, n, least, speeds, s->user))
        return false;
    for (int i = 0; i < n; i++)
        if (speeds[i] > s->best_speed) {
            s->best_speed = speeds[i];
            s->best = tune_copy(s->arena, s->chain, &points[i]);
        }
    return true;
}

static void count(FormSearch *s, int n)
{
    s->measured += n;
    if (s->show)
        s->show(n, s->user);
}

/* All configurations, as the chain has them. */
static bool search_all(FormSearch *s)
{
    TuneWalk *walk = tune_walk(s->arena, s->chain, TUNE_AC3);
    const TunePoint *point = tune_next(walk);
    while (point && !is_over(s->deadline)) {
        TunePoint points[FORM_BATCH];
        double speeds[FORM_BATCH];
        int n = 0;
        for (; point && n < FORM_BATCH; point = tune_next(walk))
            points[n++] = tune_copy(s->arena, s->chain, point);
        if (!measure(s, points, n, 3, speeds))
            return false;
        count(s, n);
    }
    return true;
}

/* As --search says, until enough is measured. */
static bool search_some(FormSearch *s, SearchKind kind)
{
    const int wanted = search_measurements(&s->opt->tuning, space_size(s->arena, s->chain));
    SearchInput input = search_compiled(s->chain, kind, 1, s->knows_others);
    TunePoint points[FORM_BATCH];
    double speeds[FORM_BATCH];
    input.predict = s->predict;
    input.learn = s->learn;
    input.user = s->user;
    Search *search = search_begin(s->arena, &input);
    if (!is_same(s, s->usual, s->planned)) {
        if (!measure(s, s->usual, 1, 3, speeds))
            return false;
        search_tell(search, s->usual, speeds, 1);
        count(s, 1);
    }
    while (s->measured < wanted && !is_over(s->deadline)) {
        const int left = wanted - s->measured, n = search_ask(search, points, left < FORM_BATCH ? left : FORM_BATCH);
        if (n == 0)
            break;
        if (!measure(s, points, n, 3, speeds))
            return false;
        search_tell(search, points, speeds, n);
        count(s, n);
    }
    return true;
}

/* The best once more beside what is planned and what is usual, in many rounds: of many that were measured it may have been the luckiest. */
static bool confirm(FormSearch *s)
{
    TunePoint points[2] = {*s->usual};
    double speeds[2] = {1, 1};
    int n = !is_same(s, s->usual, s->planned);
    if (!is_same(s, &s->best, s->planned) && !is_same(s, &s->best, s->usual))
        points[n++] = s->best;
    s->confirms = true;
    if (n && !s->measure(points, n, 8, speeds, s->user))
        return false;
    const double usual = is_same(s, s->usual, s->planned) ? 1 : speeds[0];
    s->best = *s->usual;
    s->best_speed = usual;
    if (s->best_speed < 1 / WORTH) {
        s->best = *s->planned;
        s->best_speed = 1;
    }
    if (n && speeds[n - 1] >= usual * WORTH && speeds[n - 1] > s->best_speed) {
        s->best = points[n - 1];
        s->best_speed = speeds[n - 1];
    }
    return true;
}

bool form_search(FormSearch *s)
{
    s->usual = s->usual ? s->usual : s->planned;
    s->best = tune_copy(s->arena, s->chain, s->planned);
    s->best_speed = 1;
    const int kind = s->opt->tuning.search;
    const bool done = kind == TUNE_SEARCH_ALL ? search_all(s) : search_some(s, (SearchKind)kind);
    return done && s->measured && confirm(s);
}
