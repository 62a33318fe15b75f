/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Classes of calls get configurations of their own: of what a search has measured, by what measuring once more says. */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

#include "gen/tune/class_search.h"
#include "gen/driver/pipeline.h"
#include "tests/unit/tree.h"
#include "tune/search/constraint_walk.h"

enum { SHAPES = 3, TRIALS = 3 };

static const ShapeClass classes[SHAPES] = {CLASS_L2, CLASS_L2, CLASS_MEMORY};

/* Configurations of a map's space with made-up speeds. */
typedef struct Case {
    Tree tree;
    Vec trials;
    ClassSearch search;
    const double (*again)[SHAPES]; /* speeds that measuring finds, in the order of its questions; NULL: it ends */
    TunePoint asked[CLASS_COUNT];
    int nasked;
} Case;

static void add_trial(Case *c, const TunePoint *point, const double *speeds)
{
    NestTrial *trial = arena_new_array(c->tree.arena, NestTrial, 1);
    *trial = (NestTrial){*point, space_knobs(c->search.space, point), arena_new_array(c->tree.arena, double, SHAPES)};
    memcpy(trial->speeds, speeds, SHAPES * sizeof *speeds);
    vec_push(c->tree.arena, &c->trials, trial);
}

static bool measure(const TunePoint *points, int n, void *user)
{
    Case *c = user;
    assert_true(n <= CLASS_COUNT);
    for (int i = 0; i < n; i++) {
        c->asked[c->nasked++] = points[i];
        if (c->again)
            add_trial(c, &points[i], c->again[i]);
    }
    return c->again != NULL;
}

/* With trials of such speeds, of which number 0 is the best of all. */
static void begin(Case *c, const double (*speeds)[SHAPES], const double (*again)[SHAPES])
{
    static const char spec[] = "void f(int n, const float x[n], float y[n]) { for (int i = 0; i < n; i++) y[i] = 2 * x[i]; }";
    const Options opt = {.planner.target = "c", .emit.prefix = "", .licm = LICM_DEFAULTS};
    const PlanOptions plan = {0};
    Program program;
    Text dump;
    *c = (Case){.tree = tree_new(), .again = again};
    Ir *ir = c->tree.ir;
    text_init(&dump, c->tree.arena);
    ir->diag = diag_new(c->tree.arena, "test.spec", spec, strlen(spec), stderr);
    assert_true(pipeline_run(ir, &opt, spec_parse(ir, "test.spec", spec, strlen(spec)), &program, &dump));
    const NestSpace *space = nest_space(ir, host_nest_at(program.operators[0].plan, 0), SET_AVX512, &plan);
    assert_non_null(space);
    c->search = (ClassSearch){c->tree.arena, space, {classes, SHAPES}, space->planned, &c->trials, TRIALS, measure, c};
    TuneWalk *walk = tune_walk(c->tree.arena, space->chain, TUNE_CHECK);
    while (c->trials.count < TRIALS) {
        const TunePoint *at = tune_next(walk);
        assert_non_null(at);
        const TunePoint point = tune_copy(c->tree.arena, space->chain, at);
        const NestKnobs knobs = space_knobs(space, &point), planned = space_knobs(space, &space->planned);
        if (knobs_are_same(&knobs, &planned))
            continue;
        if (c->trials.count == 0)
            c->search.best = point;
        add_trial(c, &point, speeds[c->trials.count]);
    }
}

static bool is_trial(const Case *c, const NestKnobs *knobs, int number)
{
    return knobs_are_same(knobs, &((const NestTrial *)c->trials.items[number])->knobs);
}

static void check_asked(const Case *c, int at, int number)
{
    const NestKnobs knobs = space_knobs(c->search.space, &c->asked[at]);
    assert_true(at < c->nasked && is_trial(c, &knobs, number));
}

/* Number 0 is the best of all, number 1 is better for memory, number 2 nowhere. */
static const double speeds[TRIALS][SHAPES] = {{2, 2, 1}, {1, 1, 1.5}, {0.5, 0.5, 0}};

static void what_gains_again_is_chosen(void **state)
{
    (void)state;
    static const double again[][SHAPES] = {{2, 2, 1.25}, {1, 1, 1.5}};
    ClassBest bests[CLASS_COUNT] = {0};
    Case c;
    begin(&c, speeds, again);
    assert_true(class_search(&c.search, bests));
    assert_int_equal(c.nasked, 2);
    check_asked(&c, 0, 0);
    check_asked(&c, 1, 1);
    assert_true(bests[CLASS_L2].gain == 0 && bests[CLASS_L3].gain == 0);
    assert_true(is_trial(&c, &bests[CLASS_MEMORY].knobs, 1));
    assert_true(fabs(bests[CLASS_MEMORY].gain - 1.2) < 1e-12 && fabs(bests[CLASS_MEMORY].speed - 1.5) < 1e-12);
    arena_free(c.tree.arena);
}

static void what_was_luck_is_not(void **state)
{
    (void)state;
    static const double again[][SHAPES] = {{2, 2, 1.25}, {1, 1, 1.26}};
    ClassBest bests[CLASS_COUNT] = {0};
    Case c;
    begin(&c, speeds, again);
    assert_true(class_search(&c.search, bests));
    assert_int_equal(c.nasked, 2);
    assert_true(bests[CLASS_MEMORY].gain == 0);
    arena_free(c.tree.arena);
}

/* The planned one was not measured: it is as fast as itself. */
static void what_is_planned_may_be_a_class_s_own(void **state)
{
    (void)state;
    static const double slow[TRIALS][SHAPES] = {{2, 2, 0.5}, {1, 1, 0.75}, {0, 0, 0}}, again[][SHAPES] = {{2, 2, 0.5}, {1, 1, 1}};
    ClassBest bests[CLASS_COUNT] = {0};
    Case c;
    begin(&c, slow, again);
    assert_true(class_search(&c.search, bests));
    const NestKnobs planned = space_knobs(c.search.space, &c.search.space->planned);
    assert_true(knobs_are_same(&bests[CLASS_MEMORY].knobs, &planned));
    assert_true(fabs(bests[CLASS_MEMORY].gain - 2) < 1e-12);
    arena_free(c.tree.arena);
}

static void nothing_is_measured_for_nothing(void **state)
{
    (void)state;
    static const double alike[TRIALS][SHAPES] = {{2, 2, 1.5}, {1, 1, 1.52}, {0.5, 0.5, 0}};
    ClassBest bests[CLASS_COUNT] = {0};
    Case c;
    begin(&c, alike, NULL);
    assert_true(class_search(&c.search, bests)); /* less than CLASS_WORTH */
    arena_free(c.tree.arena);
    begin(&c, speeds, NULL);
    c.search.shapes.count = 2;
    assert_true(class_search(&c.search, bests)); /* one class */
    c.search.shapes.count = SHAPES;
    c.search.searched = 1;
    assert_true(class_search(&c.search, bests)); /* number 1 is none of the search's */
    assert_int_equal(c.nasked, 0);
    arena_free(c.tree.arena);
}

static void it_ends_where_measuring_does(void **state)
{
    (void)state;
    ClassBest bests[CLASS_COUNT] = {0};
    Case c;
    begin(&c, speeds, NULL);
    assert_false(class_search(&c.search, bests));
    assert_true(bests[CLASS_MEMORY].gain == 0);
    arena_free(c.tree.arena);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(what_gains_again_is_chosen),           cmocka_unit_test(what_was_luck_is_not),
        cmocka_unit_test(what_is_planned_may_be_a_class_s_own), cmocka_unit_test(nothing_is_measured_for_nothing),
        cmocka_unit_test(it_ends_where_measuring_does),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
