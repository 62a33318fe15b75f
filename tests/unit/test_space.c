/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Spaces of small nests: what can be chosen, what is planned, and that nothing else can. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

#include "gen/front/spec.h"
#include "gen/driver/pipeline.h"
#include "tune/nests/space.h"
#include "tune/search/constraint_walk.h"

typedef struct Case {
    Arena *arena;
    Ir *ir;
    Program program;
    HostNest *nest;
} Case;

static const PlanOptions planned_options = {0};

static Case begin(const char *spec)
{
    Case c = {.arena = arena_new()};
    const Options opt = {.planner.target = "c", .emit.prefix = "", .licm = LICM_DEFAULTS};
    Text dump;
    c.ir = ir_new(c.arena, diag_new(c.arena, "test.spec", spec, strlen(spec), stderr));
    text_init(&dump, c.arena);
    Unit *unit = spec_parse(c.ir, "test.spec", spec, strlen(spec));
    assert_non_null(unit);
    assert_true(pipeline_run(c.ir, &opt, unit, &c.program, &dump));
    c.nest = host_nest_at(c.program.operators[0].plan, 0);
    return c;
}

static int64_t size_of(const Case *c, const NestSpace *space)
{
    TuneWalk *walk = tune_walk(c->arena, space->chain, TUNE_AC3);
    while (tune_next(walk))
        ;
    return tune_counts(walk)->survivors;
}

static const TuneParameter *parameter(const NestSpace *space, NestKnob knob)
{
    for (int i = 0; i < space->chain->space.nparameters; i++)
        if (space->knob[i] == knob)
            return &space->chain->space.parameters[i];
    return NULL;
}

/* The values of a knob, ended by -1; none: it is no parameter. */
static void check_values(const NestSpace *space, NestKnob knob, const int *values)
{
    const TuneParameter *p = parameter(space, knob);
    int n = 0;
    for (; values[n] >= 0; n++)
        assert_true(p && n < p->count && p->values[n] == values[n]);
    assert_int_equal(p ? p->count : 0, n);
}

#define VALUES(...) ((const int[]){__VA_ARGS__, -1})

/* y = 2 x: nothing is gathered up, and no loop is around. */
static void a_map_has_its_knobs(void **state)
{
    (void)state;
    Case c = begin("void map(int n, const float x[n], float y[n]) { for (int i = 0; i < n; i++) y[i] = 2 * x[i]; }");
    const NestSpace *space = nest_space(c.ir, c.nest, SET_AVX2, &planned_options);
    assert_non_null(space);
    check_values(space, KNOB_UNROLL, VALUES(1, 2, 4, 8));
    check_values(space, KNOB_PREFETCH_DISTANCE, VALUES(1, 4, 8, 16, 32));
    check_values(space, KNOB_ALIGN, VALUES(1, 2));
    check_values(space, KNOB_NON_TEMPORAL, VALUES(1, 2));
    check_values(space, KNOB_ACCUMULATORS, VALUES(-1));
    check_values(space, KNOB_UNROLL_MATH, VALUES(-1));
    check_values(space, KNOB_UNROLL_OUTER, VALUES(-1));
    check_values(space, KNOB_UNROLL_AND_JAM, VALUES(-1));
    check_values(space, KNOB_LANES, VALUES(-1));
    assert_int_equal(size_of(&c, space), 4 * 5 * 2 * 2);
    const NestKnobs planned = space_knobs(space, &space->planned);
    assert_int_equal(planned.value[KNOB_UNROLL], 1);
    assert_int_equal(planned.value[KNOB_PREFETCH_DISTANCE], 1);
    assert_int_equal(planned.value[KNOB_ALIGN], KNOB_NO);
    assert_int_equal(planned.value[KNOB_NON_TEMPORAL], KNOB_YES);
    arena_free(c.arena);
}

static void a_sum_of_all_has_streams(void **state)
{
    (void)state;
    Case c = begin("void sum(int n, const float x[n], float y[1]) { float s = 0; for (int i = 0; i < n; i++) s += x[i]; y[0] = s; }");
    const NestSpace *space = nest_space(c.ir, c.nest, SET_AVX2, &planned_options);
    assert_non_null(space);
    check_values(space, KNOB_ACCUMULATORS, VALUES(1, 2, 4, 8));
    assert_null(parameter(space, KNOB_UNROLL));
    assert_int_equal(space_knobs(space, &space->planned).value[KNOB_ACCUMULATORS], 4);
    arena_free(c.arena);
}

static void loops_that_stay_scalar_have_none(void **state)
{
    (void)state;
    Case c = begin("void scan(int n, const float x[n], float y[n]) { y[0] = x[0]; for (int i = 1; i < n; i++) y[i] = y[i - 1] + x[i]; }");
    assert_null(nest_space(c.ir, c.nest, SET_AVX2, &planned_options));
    arena_free(c.arena);
}

static const char bias_spec[] = "void bias(int m, int n, const float x[m][n], const float b[n], float y[m][n]) {"
                                "    for (int i = 0; i < m; i++) for (int j = 0; j < n; j++) y[i][j] = x[i][j] + b[j]; }";
static const char cube_spec[] = "void cube(int n, const float x[n + 2][n + 1][n + 1], float y[n][n][n]) {"
                                "    for (int i = 0; i < n; i++) for (int j = 0; j < n; j++) for (int k = 0; k < n; k++)"
                                "        y[i][j][k] = x[i][j][k] + x[i + 2][j][k]; }";
static const char turned_spec[] = "void turned(int m, int n, const float x[m][n], float y[n][m]) {"
                                  "    for (int i = 0; i < m; i++) for (int j = 0; j < n; j++) y[j][i] = x[i][j]; }";
static const char planes_spec[] = "void planes(int n, const float x[n][n][n], const float w[n][n], float y[n][n]) {"
                                  "    for (int i = 0; i < n; i++) for (int j = 0; j < n; j++) { float s = 0;"
                                  "        for (int k = 0; k < n; k++) s += x[k][j][i] * w[i][0]; y[j][i] = s; } }";

/* Of loops of which iterations share something; strides in memory are no order's innermost. */
static void free_loops_have_tiles(void **state)
{
    (void)state;
    Case c = begin(bias_spec);
    const NestSpace *space = nest_space(c.ir, c.nest, SET_AVX2, &planned_options);
    assert_int_equal(c.nest->band.count, 2);
    check_values(space, KNOB_TILE, VALUES(1, 32, 128, 512, 2048));
    check_values(space, KNOB_TILE_OUTER, VALUES(-1)); /* of the outermost loop alone they would change nothing */
    check_values(space, KNOB_ORDER, VALUES(-1));
    assert_int_equal(space_knobs(space, &space->planned).value[KNOB_TILE], 1);
    arena_free(c.arena);

    c = begin(cube_spec);
    space = nest_space(c.ir, c.nest, SET_AVX2, &planned_options);
    assert_int_equal(c.nest->band.count, 3);
    check_values(space, KNOB_TILE, VALUES(1, 32, 128, 512, 2048));
    check_values(space, KNOB_TILE_OUTER, VALUES(1, 4, 16, 64));
    check_values(space, KNOB_ORDER, VALUES(ORDER_AS_PLANNED, ORDER_FIRST_TWO));
    arena_free(c.arena);

    c = begin(turned_spec); /* one is vectorized, the other is inside */
    space = nest_space(c.ir, c.nest, SET_AVX2, &planned_options);
    check_values(space, KNOB_TILE, VALUES(1, 32, 128, 512, 2048));
    check_values(space, KNOB_ORDER, VALUES(-1));
    assert_int_equal(space_knobs(space, &space->planned).value[KNOB_TILE], 128);
    arena_free(c.arena);

    c = begin(planes_spec); /* loops with loops inside are as the spec has them: here for the other order of memory */
    space = nest_space(c.ir, c.nest, SET_AVX2, &planned_options);
    NestKnobs knobs = space_knobs(space, &space->planned);
    TunePoint point = tune_point(c.arena, space->chain);
    assert_int_equal(knobs.value[KNOB_ORDER], ORDER_AS_PLANNED);
    knobs.value[KNOB_ORDER] = ORDER_LAST_TWO;
    assert_true(space_point(space, &knobs, &point));
    knobs.value[KNOB_ORDER] = ORDER_LAST_FIRST; /* of two loops the same */
    assert_false(space_point(space, &knobs, &point));
    arena_free(c.arena);
}

static void what_nobody_shares_has_no_tiles(void **state)
{
    (void)state;
    Case c = begin(
        "void twice(int m, int n, int k, const float x[m][n + 1][k + 1], float y[m][n][k]) {"
        "    for (int i = 0; i < m; i++) for (int j = 0; j < n; j++) for (int l = 0; l < k; l++) y[i][j][l] = 2 * x[i][j][l]; }");
    assert_int_equal(c.nest->band.count, 0);
    const NestSpace *space = nest_space(c.ir, c.nest, SET_AVX2, &planned_options);
    assert_null(parameter(space, KNOB_TILE));
    assert_null(parameter(space, KNOB_TILE_OUTER));
    assert_null(parameter(space, KNOB_ORDER));
    arena_free(c.arena);
}

static void wide_columns_have_strips(void **state)
{
    (void)state;
    Case c = begin("void columns(int m, int n, const float x[m][n], float y[n]) {"
                   "    for (int j = 0; j < n; j++) { float s = 0; for (int i = 0; i < m; i++) s += x[i][j]; y[j] = s; } }");
    const NestSpace *space = nest_space(c.ir, c.nest, SET_AVX2, &planned_options);
    check_values(space, KNOB_COLUMN_ROWS, VALUES(0, 2, 4, 8, 16, 32)); /* 0: with lanes that leave no strips */
    assert_int_equal(space_knobs(space, &space->planned).value[KNOB_COLUMN_ROWS], 8);
    /* Without the knob it is as planned. */
    const NestSpace *fewer = nest_space_without(c.ir, c.nest, SET_AVX2, &planned_options, 1u << KNOB_COLUMN_ROWS | SPACE_ONE_THREAD);
    assert_null(parameter(fewer, KNOB_COLUMN_ROWS));
    assert_true(size_of(&c, fewer) < size_of(&c, space));
    assert_int_equal(space_knobs(fewer, &fewer->planned).value[KNOB_COLUMN_ROWS], KNOB_PLANNED);
    arena_free(c.arena);
}

/* Of calls on one thread there is nothing to cut, nor of loops that run as a whole. */
static void loops_that_are_cut_have_tasks(void **state)
{
    (void)state;
    static const char map[] = "void map(int n, const float x[n], float y[n]) { for (int i = 0; i < n; i++) y[i] = 2 * x[i]; }",
                      scan[] = "void scan(int n, const float x[n], float y[n]) {"
                               "    y[0] = x[0]; for (int i = 1; i < n; i++) y[i] = y[i - 1] + x[i]; }";
    Case c = begin(map);
    const NestSpace *space = nest_space_without(c.ir, c.nest, SET_AVX2, &planned_options, 0);
    check_values(space, KNOB_TASKS, VALUES(1, 2, 4));
    assert_int_equal(space_knobs(space, &space->planned).value[KNOB_TASKS], 1);
    assert_int_equal(size_of(&c, space), 3 * size_of(&c, nest_space(c.ir, c.nest, SET_AVX2, &planned_options)));
    c.nest->in_wave = true; /* with the rows of others */
    check_values(nest_space_without(c.ir, c.nest, SET_AVX2, &planned_options, 0), KNOB_TASKS, VALUES(-1));
    arena_free(c.arena);
    c = begin(scan);
    assert_null(nest_space_without(c.ir, c.nest, SET_AVX2, &planned_options, 0));
    arena_free(c.arena);
}

/* One order has tiles. */
static void orders_have_no_tiles_of_their_own(void **state)
{
    (void)state;
    Case c = begin(cube_spec);
    const NestSpace *space = nest_space(c.ir, c.nest, SET_AVX2, &planned_options);
    TunePoint point = tune_point(c.arena, space->chain);
    NestKnobs knobs = space_knobs(space, &space->planned);
    knobs.value[KNOB_ORDER] = ORDER_FIRST_TWO;
    assert_true(space_point(space, &knobs, &point));
    knobs.value[KNOB_TILE_OUTER] = 16;
    assert_false(space_point(space, &knobs, &point));
    knobs.value[KNOB_ORDER] = ORDER_AS_PLANNED;
    assert_true(space_point(space, &knobs, &point));
    arena_free(c.arena);
}

/* ---------------------------------------------------------------- against all settings of all knobs */

static bool is_among(const uint64_t *all, int n, uint64_t one)
{
    for (int i = 0; i < n; i++)
        if (all[i] == one)
            return true;
    return false;
}

/* All that one knob, or two, make of the nest is in the space; and what is planned is what no knobs make. */
static void check_space(Case *c, VectorSetId set)
{
    enum { MOST = 40000 };
    const NestKnobs none = {{0}};
    const NestSpace *space = nest_space(c->ir, c->nest, set, &planned_options);
    if (!space)
        return;
    uint64_t *found = arena_new_array(c->arena, uint64_t, MOST);
    int n = 0;
    TuneWalk *walk = tune_walk(c->arena, space->chain, TUNE_AC3);
    for (const TunePoint *point; (point = tune_next(walk)) && n < MOST;) {
        const NestKnobs knobs = space_knobs(space, point);
        TunePoint back = tune_point(c->arena, space->chain);
        assert_true(space_point(space, &knobs, &back));
        assert_memory_equal(back.places, point->places, sizeof(int) * (size_t)space->chain->space.nparameters);
        found[n++] = form_with(c->ir, c->nest, set, &knobs, &planned_options);
    }
    const NestKnobs planned = space_knobs(space, &space->planned);
    assert_true(form_with(c->ir, c->nest, set, &none, &planned_options) == form_with(c->ir, c->nest, set, &planned, &planned_options));
    for (int a = 0; a < KNOB_COUNT; a++)
        for (int i = 0; knob_info[a].values[i]; i++) {
            NestKnobs knobs = {{0}};
            knobs.value[a] = knob_info[a].values[i];
            /* What lanes the outermost loops may be depends on how many vectors they take; the space leaves that out. */
            if (!parameter(space, (NestKnob)a))
                assert_true(a == KNOB_LANES || form_with(c->ir, c->nest, set, &knobs, &planned_options) ==
                                                   form_with(c->ir, c->nest, set, &none, &planned_options));
            else if (a != KNOB_UNROLL_OUTER || !parameter(space, KNOB_UNROLL_AND_JAM)) /* sums of all rows have to stay in registers */
                assert_true(is_among(found, n, form_with(c->ir, c->nest, set, &knobs, &planned_options)));
        }
}

static void every_setting_is_in_the_space(void **state)
{
    (void)state;
    static const char *const specs[] = {
        bias_spec,
        cube_spec,
        turned_spec,
        planes_spec,
        "void map(int n, const float x[n], float y[n]) { for (int i = 0; i < n; i++) y[i] = 2 * x[i]; }",
        "void rows(int m, int n, const float x[m][n], float y[m]) {"
        "    for (int i = 0; i < m; i++) { float s = 0; for (int j = 0; j < n; j++) s += x[i][j]; y[i] = s; } }",
        "void columns(int m, int n, const float x[m][n], float y[n]) {"
        "    for (int j = 0; j < n; j++) { float s = 0; for (int i = 0; i < m; i++) s += x[i][j]; y[j] = s; } }",
        "void blur(int h, int w, const float x[h + 2][w + 2], const float k[3][3], float y[h][w]) {"
        "    for (int i = 0; i < h; i++) for (int j = 0; j < w; j++) { float s = 0;"
        "        for (int r = 0; r < 3; r++) for (int q = 0; q < 3; q++) s = fmaxf(s, x[i + r][j + q] * k[r][q]); y[i][j] = s; } }",
        "void exps(int m, int n, const float x[m][n], float y[m][n]) {"
        "    for (int i = 0; i < m; i++) { float s = 0; for (int j = 0; j < n; j++) s += expf(x[i][j]);"
        "        for (int j = 0; j < n; j++) y[i][j] = x[i][j] * s; } }",
    };
    for (size_t i = 0; i < sizeof specs / sizeof *specs; i++)
        for (int set = 0; set < SET_COUNT; set++) {
            Case c = begin(specs[i]);
            check_space(&c, (VectorSetId)set);
            arena_free(c.arena);
        }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_map_has_its_knobs),
        cmocka_unit_test(a_sum_of_all_has_streams),
        cmocka_unit_test(loops_that_stay_scalar_have_none),
        cmocka_unit_test(free_loops_have_tiles),
        cmocka_unit_test(what_nobody_shares_has_no_tiles),
        cmocka_unit_test(wide_columns_have_strips),
        cmocka_unit_test(loops_that_are_cut_have_tasks),
        cmocka_unit_test(orders_have_no_tiles_of_their_own),
        cmocka_unit_test(every_setting_is_in_the_space),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
