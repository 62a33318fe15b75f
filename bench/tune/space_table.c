/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "bench/tune/space_table.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "gen/driver/file.h"
#include "gen/front/spec.h"
#include "gen/driver/nest_shapes.h"
#include "tune/search/constraint_walk.h"

enum { TABLE_LIMIT = 1 << 26 };

static void give_up(const char *file, const char *what)
{
    fprintf(stderr, "%s: %s\n", file, what);
    exit(1);
}

static const char *base_of(Arena *arena, const char *path)
{
    const char *slash = strrchr(path, '/'), *from = slash ? slash + 1 : path;
    return arena_strndup(arena, from, strcspn(from, "."));
}

static SpaceTable *plan_spec(const char *path)
{
    Arena *arena = arena_new();
    SpaceTable *t = arena_new_array(arena, SpaceTable, 1);
    size_t len;
    const char *text = file_read(arena, path, SPEC_LIMIT, &len);
    const Options opt = {.planner.target = "c", .emit.prefix = "", .licm = LICM_DEFAULTS};
    Text dump;
    t->arena = arena;
    t->name = base_of(arena, path);
    if (!text)
        exit(1);
    t->ir = ir_new(arena, diag_new(arena, path, text, len, stderr));
    text_init(&dump, arena);
    Unit *unit = spec_parse(t->ir, path, text, len);
    if (!unit || !pipeline_run(t->ir, &opt, unit, &t->program, &dump))
        exit(1);
    return t;
}

/* The next field of a line, which begins at *at. */
static const char *field(Arena *arena, const char **at)
{
    const size_t n = strcspn(*at, ",\n");
    const char *text = arena_strndup(arena, *at, n);
    *at += n + ((*at)[n] == ',');
    return text;
}

/* Columns of a table, which may have been written before there were some knobs: these were as planned. */
typedef struct Columns {
    int knob[KNOB_COUNT]; /* in their order */
    int count;
    unsigned without; /* 1 << a knob that has none */
} Columns;

static NestKnob knob_named(const char *file, const char *name)
{
    int knob = 0;
    while (knob < KNOB_COUNT && strcmp(knob_info[knob].name, name) != 0 && strcmp(knob_info[knob].former, name) != 0)
        knob++;
    if (knob == KNOB_COUNT)
        give_up(file, "it has a knob that there is not");
    return (NestKnob)knob;
}

/* Between nest, isa, extents and ns, planned_ns. */
static Columns read_head(Arena *arena, const char *file, const char *at)
{
    enum { BEFORE = 3 };
    Columns c = {.without = (1u << KNOB_COUNT) - 1};
    for (int i = 0; i < BEFORE; i++)
        field(arena, &at);
    for (const char *name = field(arena, &at); *name && strcmp(name, "ns") != 0; name = field(arena, &at)) {
        const NestKnob knob = knob_named(file, name);
        if (c.count < KNOB_COUNT)
            c.knob[c.count++] = knob;
        c.without &= ~(1u << knob);
    }
    return c;
}

static void find_nest(SpaceTable *t, const char *file, const char *stem, const char *isa, const Columns *c)
{
    for (int op = 0; op < t->program.noperators; op++)
        for (int i = 0; i < host_nest_count(t->program.operators[op].plan); i++)
            if (strcmp(host_nest_at(t->program.operators[op].plan, i)->stem, stem) == 0) {
                t->plan = t->program.operators[op].plan;
                t->nest = host_nest_at(t->plan, i);
            }
    while (t->set < SET_COUNT && strcmp(vector_sets[t->set].name, isa) != 0)
        t->set++;
    if (!t->nest || t->set == SET_COUNT)
        give_up(file, "it is about another spec");
    t->without = c->without;
    t->space = nest_space_without(t->ir, t->nest, t->set, &t->opt, c->without);
    if (!t->space)
        give_up(file, "the nest has nothing to choose");
}

static void list_points(SpaceTable *t)
{
    for (int pass = 0; pass < 2; pass++) {
        TuneWalk *walk = tune_walk(t->arena, t->space->chain, TUNE_AC3);
        int n = 0;
        for (const TunePoint *p; (p = tune_next(walk)); n++)
            if (t->points) {
                t->points[n] = tune_point(t->arena, t->space->chain);
                for (int i = 0; i < t->space->chain->space.nparameters; i++)
                    tune_set(t->space->chain, &t->points[n], i, p->places[i]);
            }
        t->count = n;
        t->points = t->points ? t->points : arena_new_array(t->arena, TunePoint, n);
        t->speed = t->speed ? t->speed : arena_alloc(t->arena, (size_t)n * sizeof *t->speed);
    }
}

int space_table_find(const SpaceTable *t, const TunePoint *point)
{
    const size_t bytes = sizeof(int) * (size_t)t->space->chain->space.nparameters;
    for (int i = 0; i < t->count; i++)
        if (memcmp(t->points[i].places, point->places, bytes) == 0)
            return i;
    return -1;
}

static int shape_number(SpaceTable *t, const char *extents)
{
    int i = 0;
    while (i < t->nshapes && strcmp(t->extents[i], extents) != 0)
        i++;
    if (i == t->nshapes && i < MOST_TABLE_SHAPES)
        t->extents[t->nshapes++] = extents;
    return i;
}

static void read_rows(SpaceTable *t, const char *file, const char *text)
{
    const char *at = text + strcspn(text, "\n");
    const Columns c = read_head(t->arena, file, text);
    TunePoint point = {0};
    while (*at == '\n' && at[1]) {
        at++;
        const char *stem = field(t->arena, &at), *isa = field(t->arena, &at), *extents = field(t->arena, &at);
        NestKnobs knobs = {{0}};
        if (!t->nest) {
            find_nest(t, file, stem, isa, &c);
            list_points(t);
            point = tune_point(t->arena, t->space->chain);
        }
        for (int i = 0; i < c.count; i++)
            knobs.value[c.knob[i]] = atoi(field(t->arena, &at));
        const double ns = atof(field(t->arena, &at)), planned = atof(field(t->arena, &at));
        if (strcmp(stem, t->nest->stem) == 0 && space_point(t->space, &knobs, &point))
            t->speed[space_table_find(t, &point)][shape_number(t, extents)] = ns > 0 ? planned / ns : 0;
    }
}

static void begin_predictor(SpaceTable *t)
{
    const Func *f = t->plan->func;
    const FeatureValue **values = arena_new_array(t->arena, const FeatureValue *, t->nshapes);
    int n = 0;
    for (int i = 0; i < t->nshapes; i++)
        values[i] = shape_values(t->arena, f, t->extents[i], &n);
    t->predictor = predictor_new(&(PredictInput){.ir = t->ir,
                                                 .plan = t->plan,
                                                 .nest = t->nest,
                                                 .set = t->set,
                                                 .opt = &t->opt,
                                                 .space = t->space,
                                                 .values = values,
                                                 .nvalues = n,
                                                 .nshapes = t->nshapes,
                                                 .machine = machine_usual(t->set)});
}

/* Leaves out what was not measured at every shape. */
static void drop_others(SpaceTable *t)
{
    int n = 0;
    for (int i = 0; i < t->count; i++) {
        bool all = true;
        for (int shape = 0; shape < t->nshapes; shape++)
            all = all && t->speed[i][shape] > 0;
        if (!all)
            continue;
        t->points[n] = t->points[i];
        memmove(t->speed[n++], t->speed[i], sizeof *t->speed);
    }
    t->count = n;
}

/* The planner may have changed since. False: nobody knows how fast what it does now is. */
static bool compare_with_planned(SpaceTable *t)
{
    const int planned = space_table_find(t, &t->space->planned);
    if (planned < 0 || t->nshapes == 0) /* or nothing of the table is in the space any more */
        return false;
    memcpy(t->then, t->speed[planned], sizeof t->then);
    for (int i = 0; i < t->count; i++)
        for (int shape = 0; shape < t->nshapes; shape++)
            t->speed[i][shape] /= t->then[shape];
    return true;
}

double space_table_speed(const SpaceTable *t, int i)
{
    double sum = 0;
    for (int shape = 0; shape < t->nshapes; shape++)
        sum += log(t->speed[i][shape]);
    return exp(sum / t->nshapes);
}

SpaceTable *space_table_read(const char *spec, const char *table)
{
    SpaceTable *t = plan_spec(spec);
    size_t len;
    const char *text = file_read(t->arena, table, TABLE_LIMIT, &len);
    if (!text)
        exit(1);
    read_rows(t, table, text);
    if (!t->nest)
        give_up(table, "it has no lines");
    drop_others(t);
    if (!compare_with_planned(t)) {
        fprintf(stderr, "%s: left out: what is planned now was not measured\n", table);
        return NULL;
    }
    for (int i = 0; i < t->count; i++)
        t->best = fmax(t->best, space_table_speed(t, i));
    begin_predictor(t);
    return t;
}
