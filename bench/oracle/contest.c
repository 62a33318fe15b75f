/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "contest.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "library.h"
#include "machine.h"
#include "plans.h"
#include "reference.h"

static const double FIRST_TURN = 60e-6, NEXT_TURN = 300e-6, LAST_TURN = 1e-3, FINAL = 0.6, HOPELESS = 3;
enum { LINE = 64, HEATS = 12, FINALISTS = 5, LEAST_TURNS = 9, MOST_TURNS = 31 };

const char *const choice_names[CHOICES] = {"chosen", "wave term", "pipe term", "one kernel"};

typedef struct Operand {
    float *memory;
    size_t step, elements; /* from one copy to the next; of one copy */
} Operand;

struct Contest {
    Pool *pool;
    double budget;
    int fixed;
    FILE *list;
    Operand A, B, C;
    int copies, at; /* of the current shape; the one to be used next */
    Problem *problem;
    int entries, room;
    double *times; /* by plan; 0: not run */
    double *costs; /* by plan: seconds that the cost model expects */
    int *order;    /* plans that are still in, the fastest first */
};

/* When A, B and C together take more than half of the last-level cache, calls use different copies. */
static void lay_out(Contest *c, const Shape *s)
{
    const double cache = (double)last_level_cache();
    c->A.elements = (size_t)s->M * (size_t)s->K;
    c->B.elements = (size_t)s->K * (size_t)s->N;
    c->C.elements = (size_t)s->M * (size_t)s->N;
    const double bytes = 4.0 * (double)(c->A.elements + c->B.elements + c->C.elements);
    c->copies = bytes > cache / 2 && bytes < 4 * cache ? (int)ceil(4 * cache / bytes) : 1;
    c->at = 0;
    Operand *operands[] = {&c->A, &c->B, &c->C};
    for (int i = 0; i < 3; i++)
        operands[i]->step = (operands[i]->elements + 3 * LINE / 4) / (LINE / 4) * (LINE / 4);
}

Contest *contest_open(Pool *pool, const Shapes *shapes, double budget, int fixed, FILE *list)
{
    Contest *c = calloc(1, sizeof *c);
    if (!c)
        abort();
    *c = (Contest){.pool = pool, .budget = budget, .fixed = fixed, .list = list};
    Operand *operands[] = {&c->A, &c->B, &c->C};
    size_t most[3] = {0, 0, 0};
    for (int s = 0; s < shapes->count; s++) {
        lay_out(c, &shapes->items[s]);
        for (int i = 0; i < 3; i++) {
            const size_t elements = operands[i]->step * (size_t)c->copies;
            most[i] = elements > most[i] ? elements : most[i];
        }
    }
    for (int i = 0; i < 3; i++) {
        operands[i]->memory = aligned_alloc(4096, (4 * most[i] + 2 * 4096) / 4096 * 4096);
        if (!operands[i]->memory)
            abort();
        fill_operand(F32, operands[i]->memory, most[i], (unsigned)i + 1);
    }
    return c;
}

void contest_close(Contest *c)
{
    free(c->A.memory);
    free(c->B.memory);
    free(c->C.memory);
    free(c->times);
    free(c->costs);
    free(c->order);
    free(c);
}

static double now(const Contest *c) { return c->pool ? seconds() : thread_seconds(); }

/* Seconds of a call, of so many. */
static double calls_of(Contest *c, int plan, int calls)
{
    const double begin = now(c);
    for (int i = 0; i < calls; i++) {
        const size_t at = (size_t)c->at;
        plan_run(c->problem, plan, c->A.memory + at * c->A.step, c->B.memory + at * c->B.step, c->C.memory + at * c->C.step);
        c->at = c->at + 1 < c->copies ? c->at + 1 : 0;
    }
    return (now(c) - begin) / calls;
}

static void turn(Contest *c, int plan, double length)
{
    const int calls = (int)fmax(1, fmin(length / c->times[plan], 1e6));
    if (calls > 2)
        calls_of(c, plan, 1); /* what the last plan left in the first caches is not this one's */
    c->times[plan] = fmin(c->times[plan], calls_of(c, plan, calls));
}

/* Room for the plans listed so far. */
static void make_room(Contest *c)
{
    const int count = plans_count(c->problem);
    if (count > c->room) {
        c->room = 2 * count;
        c->times = realloc(c->times, (size_t)c->room * sizeof *c->times);
        c->costs = realloc(c->costs, (size_t)c->room * sizeof *c->costs);
        c->order = realloc(c->order, (size_t)c->room * sizeof *c->order);
        if (!c->times || !c->costs || !c->order)
            abort();
    }
    for (; c->entries < count; c->entries++) {
        c->times[c->entries] = 0;
        c->costs[c->entries] = plan_cost(c->problem, c->entries);
    }
}

/* A plan's first run, checked, and its first turn unless it is hopeless. */
static void first_turn(Contest *c, int plan, double best, const Reference *reference, Outcome *outcome)
{
    c->at = 0;
    reference_spoil(reference, c->C.memory);
    c->times[plan] = calls_of(c, plan, 1);
    outcome->wrong += !reference_equals(reference, c->C.memory);
    outcome->plans++;
    if (c->times[plan] < HOPELESS * best || c->times[plan] < 1e-5)
        turn(c, plan, FIRST_TURN);
}

static const Contest *sorting;
static int by_time(const void *a, const void *b)
{
    const double x = sorting->times[*(const int *)a], y = sorting->times[*(const int *)b];
    return (x > y) - (x < y);
}
static int by_cost(const void *a, const void *b)
{
    const double x = sorting->costs[*(const int *)a], y = sorting->costs[*(const int *)b];
    return (x > y) - (x < y);
}

/* Plans with a time, the fastest first; their number. */
static int rank(Contest *c)
{
    int count = 0;
    for (int i = 0; i < c->entries; i++)
        if (c->times[i] > 0)
            c->order[count++] = i;
    sorting = c;
    qsort(c->order, (size_t)count, sizeof *c->order, by_time);
    return count;
}

/* First turns of the plans that had none, the most promising first, as long as there is time. */
static void try_all(Contest *c, double *spent, const Reference *reference, Outcome *outcome)
{
    int count = 0;
    double best = INFINITY, begin = seconds();
    make_room(c);
    for (int i = 0; i < c->entries; i++)
        if (c->times[i] > 0)
            best = fmin(best, c->times[i]);
        else
            c->order[count++] = i;
    sorting = c;
    qsort(c->order, (size_t)count, sizeof *c->order, by_cost);
    for (int i = 0; i < count; i++) {
        const int plan = c->order[i];
        if (*spent + seconds() - begin > c->budget)
            break;
        first_turn(c, plan, best, reference, outcome);
        best = fmin(best, c->times[plan]);
    }
    *spent += seconds() - begin;
}

/* The `keep` fastest plans and the given choices, in c->order; their number. */
static int with_choices(Contest *c, int keep, const int *choices)
{
    int count = rank(c);
    count = keep < count ? keep : count;
    for (int i = 0; i < CHOICES; i++) {
        bool in = false;
        for (int j = 0; j < count; j++)
            in |= c->order[j] == choices[i];
        if (!in)
            c->order[count++] = choices[i];
    }
    return count;
}

/* More turns for them, there and back. */
static void more_turns(Contest *c, int keep, int rounds, double length, const int *choices)
{
    const int count = with_choices(c, keep, choices);
    for (int round = 0; round < rounds; round++)
        for (int i = 0; i < count; i++)
            turn(c, c->order[round % 2 ? count - 1 - i : i], length);
}

static int most(int a, int b) { return a > b ? a : b; }

static int ascending(const void *a, const void *b)
{
    const double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

/* Measures the fastest plans and the choices anew, turn about; their times become the medians of these turns. What is
   in c->order afterwards took part; the number of them. */
static int final(Contest *c, const int *choices)
{
    static double turns[FINALISTS + CHOICES][MOST_TURNS];
    const int count = with_choices(c, FINALISTS, choices);
    double round = 0;
    for (int i = 0; i < count; i++)
        round += fmax(c->times[c->order[i]], LAST_TURN);
    const int rounds = (int)fmin(fmax(FINAL / round, LEAST_TURNS), MOST_TURNS);
    for (int n = 0; n < rounds; n++)
        for (int i = 0; i < count; i++) {
            /* Each plan comes behind each of the others in some turn. */
            const int at = n % 2 ? count - 1 - (i + n) % count : (i + n) % count, plan = c->order[at];
            const int calls = (int)fmax(1, fmin(LAST_TURN / c->times[plan], 1e6));
            if (calls > 2)
                calls_of(c, plan, 1);
            turns[at][n] = calls_of(c, plan, calls);
        }
    for (int i = 0; i < count; i++) {
        qsort(turns[i], (size_t)rounds, sizeof **turns, ascending);
        c->times[c->order[i]] = turns[i][rounds / 2];
    }
    sorting = c;
    qsort(c->order, (size_t)count, sizeof *c->order, by_time);
    return count;
}

/* The outcome of the final. */
static void record(const Contest *c, const int *choices, Outcome *outcome)
{
    const int best = c->order[0];
    outcome->best = c->times[best];
    outcome->best_cost = c->costs[best];
    plan_text(c->problem, best, outcome->best_text, TEXT);
    for (int i = 0; i < CHOICES; i++) {
        outcome->seconds[i] = c->times[choices[i]];
        outcome->cost[i] = c->costs[choices[i]];
        plan_text(c->problem, choices[i], outcome->text[i], TEXT);
    }
}

static void list_plans(const Contest *c, const Shape *s, int chosen, FILE *file)
{
    char text[TEXT];
    for (int i = 0; i < c->entries; i++)
        if (c->times[i] > 0) {
            plan_text(c->problem, i, text, TEXT);
            fprintf(file, "%d,%d,%d,%s,%d,%.4g,%.4g,%.4g\n", s->M, s->N, s->K, text, i == chosen, 1e6 * c->times[i], 1e6 * c->costs[i],
                    1e6 * plan_tiles_cost(c->problem, i));
        }
}

void contest_hold(Contest *c, const Shape *shape, Outcome *outcome)
{
    double spent = 0;
    int choices[CHOICES], like = -1;
    *outcome = (Outcome){.shape = *shape};
    lay_out(c, shape);
    c->problem = problem_open(shape->M, shape->N, shape->K, c->pool);
    c->entries = 0;
    Reference *reference = reference_new(F32, shape->M, shape->N, shape->K, c->A.memory, c->B.memory);
    plans_add_whole(c->problem);
    choices[CHOSEN] = plan_chosen(c->problem);
    choices[WAVE] = plan_wave(c->problem);
    choices[PIPE] = plan_pipe(c->problem);
    choices[FIXED] = plan_fixed(c->problem, c->fixed);
    make_room(c);
    for (int i = 0; i < CHOICES; i++)
        if (c->times[choices[i]] == 0)
            first_turn(c, choices[i], INFINITY, reference, outcome);
    try_all(c, &spent, reference, outcome);
    const int whole = rank(c);
    for (int i = whole - 1; i >= 0; i--)
        like = plan_is_whole(c->problem, c->order[i]) ? c->order[i] : like;
    plans_add_cut(c->problem, like);
    try_all(c, &spent, reference, outcome);
    reference_free(reference);
    const int count = rank(c);
    outcome->skipped = c->entries - count;
    more_turns(c, most(HEATS, count / 4), 2, NEXT_TURN, choices);
    more_turns(c, most(HEATS, count / 16), 3, NEXT_TURN, choices);
    more_turns(c, HEATS, 4, NEXT_TURN, choices);
    final(c, choices);
    record(c, choices, outcome);
    if (c->list)
        list_plans(c, shape, choices[CHOSEN], c->list);
    problem_close(c->problem);
}
