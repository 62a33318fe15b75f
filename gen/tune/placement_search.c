/* SPDX-License-Identifier: GPL-3.0-or-later */
/* A way to place arrays is a library of its own: other loops come of it, with nests of their own. All are loaded side by side and take turns. */
#include "gen/tune/placement_search.h"

#include <math.h>
#include <unistd.h>

#include "gen/driver/place_producers.h"
#include "gen/tune/tune_file.h"
#include "tune/fuse_lines.h"

enum { PLANNED, MOST_SINGLE = 6, MOST_WAYS = MOST_SINGLE + 2 }; /* one is planned, one has all that gained */
static const double WORTH = 1.02; /* how many times as fast as planned a way has to be */

/* Ways to place arrays: number 0 is as planned. They are the libraries of these numbers, form 0. */
typedef struct PlacementSearch {
    Ir *ir;
    const Options *opt;
    const Program *program;
    const Operator *op;
    NestTuner *tuner; /* once they are measured, as are */
    NestShape *shapes;
    int nshapes;
    Placements way[MOST_WAYS];
    int producer[MOST_WAYS]; /* the one that is placed otherwise; -1: none or several */
    double *time[MOST_WAYS]; /* by shape */
    double speed[MOST_WAYS]; /* how many times as fast as planned; 0: it does not run */
    int n;
} PlacementSearch;

/* ---------------------------------------------------------------- which */

static void add_way(PlacementSearch *s, const Placements *way, int producer)
{
    s->way[s->n] = *way;
    s->producer[s->n] = producer;
    s->speed[s->n++] = 1;
}

/* One array placed otherwise, the most telling placements of all arrays first. */
static void add_single_ways(PlacementSearch *s)
{
    const PlanOptions plan = tuner_plan_options(&s->opt->planner, s->program);
    const Plan *p = s->op->plan;
    unsigned *offered = arena_new_array(s->ir->arena, unsigned, p->nproducers + 1);
    for (int i = 0; i < p->nproducers; i++)
        offered[i] = placements_offered(s->ir, s->op, i, &plan);
    for (int placement = PLACE_PLANNED + 1; placement < PLACEMENT_COUNT; placement++)
        for (int i = 0; i < p->nproducers && s->n <= MOST_SINGLE; i++)
            if (offered[i] >> placement & 1) {
                Placements way = {{PLACE_PLANNED}};
                way.of[p->producers[i].number] = (Placement)placement;
                add_way(s, &way, i);
            }
}

static PlacementSearch ways_of(const NestTuner *t, const Operator *op)
{
    PlacementSearch s = {.ir = t->ir, .opt = t->opt, .program = t->program, .op = op};
    add_way(&s, &(Placements){{PLACE_PLANNED}}, -1);
    add_single_ways(&s);
    return s;
}

int placement_measurements(const NestTuner *t, const Operator *op) { return ways_of(t, op).n - 1; }

/* ---------------------------------------------------------------- measuring */

/* On the shapes of operator number `op`. */
static void begin_times(PlacementSearch *s, NestTuner *t, int op)
{
    s->tuner = t;
    s->shapes = arena_new_array(t->ir->arena, NestShape, t->shapes.count);
    for (int i = 0; i < t->shapes.count; i++)
        if (((const NestShape *)t->shapes.items[i])->op == op)
            s->shapes[s->nshapes++] = *(const NestShape *)t->shapes.items[i];
    for (int i = 0; i < MOST_WAYS; i++)
        s->time[i] = arena_new_array(t->ir->arena, double, s->nshapes);
}

/* Makes and loads the libraries of ways from..s->n-1. */
static bool load_ways(PlacementSearch *s, int from)
{
    NestTuner *t = s->tuner;
    Arena *arena = t->ir->arena;
    for (int i = from; i < s->n; i++) {
        Profile *profile = profile_new(arena, t->profile);
        placements_put(arena, profile, s->op->plan->fingerprint, &s->way[i], 0);
        if (!tuner_load_library(t, profile, NULL, i))
            return false;
    }
    return true;
}

static void unload_ways(const PlacementSearch *s)
{
    for (int i = 1; i < s->n; i++)
        session_number(s->tuner->session, arena_printf(s->tuner->ir->arena, "unload %d", i));
}

/* Times these ways and, first of them, the planned one. Sets their times and speeds. */
static bool measure_ways(PlacementSearch *s, const int *ways, int n, int least)
{
    NestTuner *t = s->tuner;
    FormsInput in;
    FormTimes forms[MOST_WAYS] = {{PLANNED, 0, s->time[PLANNED]}};
    for (int i = 0; i < n; i++)
        forms[i + 1] = (FormTimes){ways[i], 0, s->time[ways[i]]};
    if (!tuner_measure(t, s->shapes, s->nshapes, least, forms, n + 1, &in))
        return false;
    for (int i = 0; i < n; i++)
        s->speed[ways[i]] = form_speed(&in, &forms[i + 1], &forms[0]);
    return true;
}

/* Loads and measures ways from..s->n-1 beside the planned one. */
static bool try_ways(PlacementSearch *s, int from)
{
    int ways[MOST_WAYS], n = 0;
    for (int i = from; i < s->n; i++)
        ways[n++] = i;
    const bool done = load_ways(s, from == 1 ? PLANNED : from) && measure_ways(s, ways, n, 3);
    progress_add(&s->tuner->progress, n, arena_printf(s->tuner->ir->arena, "%s: where arrays are computed", s->op->plan->func->name));
    return done;
}

/* ---------------------------------------------------------------- choosing */

static int best_of(const PlacementSearch *s)
{
    int best = PLANNED;
    for (int i = 1; i < s->n; i++)
        best = s->speed[i] > s->speed[best] ? i : best;
    return best;
}

/* Each array as it gained most, if it gained; how many did. */
static int gains_together(const PlacementSearch *s, Placements *way)
{
    int gained = 0;
    *way = (Placements){{PLACE_PLANNED}};
    for (int p = 0; p < s->op->plan->nproducers; p++) {
        int best = PLANNED;
        for (int i = 1; i < s->n; i++)
            if (s->producer[i] == p && s->speed[i] >= WORTH && s->speed[i] > s->speed[best])
                best = i;
        const int number = s->op->plan->producers[p].number;
        if (best != PLANNED)
            way->of[number] = s->way[best].of[number];
        gained += best != PLANNED;
    }
    return gained;
}

/* Of a call so placed: geometric mean over the shapes that run. */
static double mean_ns(const PlacementSearch *s, int way)
{
    double sum = 0;
    int known = 0;
    for (int i = 0; i < s->nshapes; i++)
        if (s->time[way][i] > 0) {
            sum += log(s->time[way][i]);
            known++;
        }
    return known ? exp(sum / known) : 0;
}

static const char *words_of(const PlacementSearch *s, int way)
{
    Text t;
    text_init(&t, s->tuner->ir->arena);
    for (int i = 0; i < s->op->plan->nproducers; i++) {
        const Producer *p = &s->op->plan->producers[i];
        const Placement placement = p->number >= 0 && p->number < MOST_PLACED ? s->way[way].of[p->number] : PLACE_PLANNED;
        if (placement != PLACE_PLANNED)
            text_printf(&t, "%s%s %s", t.size ? ", " : "", p->array->name, placement_info[placement].word);
    }
    return t.size ? t.data : "as planned";
}

static bool put_line(PlacementSearch *s, int way)
{
    NestTuner *t = s->tuner;
    Arena *arena = t->ir->arena;
    placements_put(arena, t->profile, s->op->plan->fingerprint, &s->way[way], mean_ns(s, way));
    progress_part(&t->progress, arena_printf(arena, "%s, where arrays are computed: %d measured; %s, %.2f times as fast as planned",
                                             s->op->plan->func->name, s->n - 1, words_of(s, way), way == PLANNED ? 1.0 : s->speed[way]));
    if (way != PLANNED)
        vec_push(arena, &t->report->notes,
                 arena_printf(arena, "%s: %s, which is %.2f times as fast as planned", s->op->plan->func->name, words_of(s, way),
                              s->speed[way]));
    return tune_save((void *)t->opt, t->profile);
}

bool search_placements(NestTuner *t, int op)
{
    PlacementSearch s = ways_of(t, &t->program->operators[op]);
    Placements together;
    begin_times(&s, t, op);
    if (!try_ways(&s, 1))
        return false;
    if (gains_together(&s, &together) > 1) {
        add_way(&s, &together, -1);
        if (!try_ways(&s, s.n - 1))
            return false;
    }
    int best = best_of(&s);
    if (best != PLANNED && !measure_ways(&s, &best, 1, 8))
        return false;
    best = s.speed[best] >= WORTH ? best : PLANNED;
    unload_ways(&s);
    return put_line(&s, best);
}
