/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Spaces of nests on a GPU: what survives, and what features promise more of. */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "plan/split/operator.h"
#include "plan/grid/split_device.h"
#include "plan/targets.h"
#include "tests/unit/tree.h"
#include "tune/nests/grid_space.h"
#include "tune/search/constraint_walk.h"

enum { MOST_CALLS = 3, MOST_SCALARS = 3 };

/* A spec, calls of it, and what came of its nest. */
typedef struct Question {
    const char *spec;
    int64_t values[MOST_CALLS][MOST_SCALARS];
    int ncalls, gpu;
    Func *func;
    bool has_space;
    NestForm form;
    int raw, survivors, nparameters;
    double best; /* gain */
    GridKnobs knobs;
} Question;

static void note_space(Question *q, Ir *ir, const GridSpace *space)
{
    q->has_space = space != NULL;
    if (!space)
        return;
    q->raw = (int)tune_raw_size(space->chain);
    q->nparameters = space->chain->space.nparameters;
    TuneWalk *walk = tune_walk(ir->arena, space->chain, TUNE_AC3);
    for (const TunePoint *p; (p = tune_next(walk)); q->survivors++)
        q->best = fmax(q->best, exp(tune_preference(space->chain, p->values)));
    assert_true(fabs(tune_preference(space->chain, space->planned.values)) < 1e-12);
    const GridKnobs planned = grid_space_knobs(space, &space->planned);
    assert_true(grid_is_planned(&planned));
}

static GridKnobs answer(const void *user, Ir *ir, const GridInput *in)
{
    Question *q = (Question *)user;
    ScalarValue values[MOST_CALLS][MOST_SCALARS];
    const ScalarValue *of_call[MOST_CALLS];
    GridCalls calls = {.scalars = of_call, .ncalls = q->ncalls};
    for (int call = 0; call < q->ncalls; call++) {
        calls.nscalars = 0;
        for (int i = 0; i < q->func->nparams; i++)
            if (!q->func->params[i]->rank) {
                values[call][calls.nscalars] = (ScalarValue){q->func->params[i], q->values[call][calls.nscalars]};
                calls.nscalars++;
            }
        of_call[call] = values[call];
    }
    device_form(ir, in->planned, of_call[0], calls.nscalars, &q->form);
    note_space(q, ir, grid_space(ir, in, &calls, q->gpu));
    q->knobs = grid_by_features(ir, in, &calls, q->gpu);
    return q->knobs;
}

static void ask(Question *q)
{
    Tree tree = tree_new();
    q->func = tree_parse(tree, "test.spec", q->spec);
    assert_non_null(q->func);
    const PlanOptions opt = {.cuda = true, .grid_knobs = answer, .grid_user = q};
    Node *source = q->func->body;
    Plan *plan = plan_operator(tree.ir, q->func, &opt);
    plan->source = source;
    split_device(tree.ir, plan, &opt);
    assert_int_equal(device_nest_count(plan), 1);
    for (int i = 0; i < GRID_KNOBS; i++)
        assert_int_equal(device_nest_at(plan, 0)->knobs.value[i], q->knobs.value[i]);
    arena_free(tree.arena);
}

static const char map[] = "void f(int n, const float x[n], float y[n])\n"
                          "{ for (int i = 0; i < n; i++) y[i] = 2 * x[i]; }\n";
static const char row[] = "void f(int m, int n, const float x[m][n], float y[m])\n"
                          "{ for (int i = 0; i < m; i++) { float s = 0; for (int j = 0; j < n; j++) s += x[i][j]; y[i] = s; } }\n";

/* Vectors that fill the machine: more threads or longer groups make nothing better. */
static void test_map(void **state)
{
    (void)state;
    Question q = {.spec = map, .values = {{1 << 24}}, .ncalls = 1, .gpu = -1};
    ask(&q);
    assert_true(q.has_space);
    assert_int_equal(q.form, FORM_VECTOR);
    assert_int_equal(q.raw, 5 * 3);
    assert_true(q.best < 1.1);
    assert_true(grid_is_planned(&q.knobs));
}

/* Few long rows: 32 blocks cannot ask for all that memory could bring, four times as many warps in each for four times as much. */
static void test_few_rows(void **state)
{
    (void)state;
    Question q = {.spec = row, .values = {{32, 65536}}, .ncalls = 1, .gpu = -1};
    ask(&q);
    assert_int_equal(q.form, FORM_BLOCK);
    assert_int_equal(q.survivors, 5);
    assert_true(fabs(q.best - 4) < 0.1); /* the warp that stores has a little more to do */
    assert_int_equal(q.knobs.value[GRID_LANES], 1024);
    /* As long as there are rows enough for one of the calls, it would gain nothing there. */
    Question both = {.spec = row, .values = {{32, 65536}, {100000, 65536}}, .ncalls = 2, .gpu = -1};
    ask(&both);
    assert_true(both.has_space);
    assert_true(grid_is_planned(&both.knobs));
    /* Rows of which another form runs. */
    Question apart = {.spec = row, .values = {{32, 65536}, {32, 20}}, .ncalls = 2, .gpu = -1};
    ask(&apart);
    assert_false(apart.has_space);
    /* Nobody says how many. */
    Question unknown = {.spec = row, .values = {{0, 0}}, .ncalls = 1, .gpu = -1};
    ask(&unknown);
    assert_false(unknown.has_space);
    assert_true(grid_is_planned(&unknown.knobs));
}

/* Warps without iterations are none. */
static void test_idle_lanes(void **state)
{
    (void)state;
    Question q = {.spec = "void f(const float x[128], float y[1])\n"
                          "{ float s = 0; for (int j = 0; j < 128; j++) s += x[j]; y[0] = s; }\n",
                  .ncalls = 1,
                  .gpu = GPU_SM90};
    ask(&q);
    assert_int_equal(q.form, FORM_BLOCK);
    assert_true(q.best < 1.1);
    assert_true(grid_is_planned(&q.knobs));
}

/* 50 registers for an array: 1024 threads would have 64 in all, 20 of them for other things. */
static void test_registers(void **state)
{
    (void)state;
    Question q = {.spec = "void f(int m, int n, const float x[m][n], float y[m])\n"
                          "{ for (int i = 0; i < m; i++) { float t[50]; for (int k = 0; k < 50; k++) t[k] = k * y[i];\n"
                          "  float s = t[0]; for (int j = 0; j < n; j++) s += x[i][j] * t[j % 50]; y[i] = s; } }\n",
                  .values = {{32, 65536}},
                  .ncalls = 1,
                  .gpu = GPU_SM80};
    ask(&q);
    assert_int_equal(q.form, FORM_BLOCK);
    assert_int_equal(q.survivors, 4);
    assert_int_equal(q.knobs.value[GRID_LANES], 512);
}

/* Two arrays the other way round, which is no tile: squarer blocks touch fewer lines. */
static void test_far_loads(void **state)
{
    (void)state;
    Question q = {.spec = "void f(int m, int n, const float x[n][m], const float w[n][m], float y[m][n])\n"
                          "{ for (int i = 0; i < m; i++) for (int j = 0; j < n; j++) y[i][j] = x[j][i] * w[j][i]; }\n",
                  .values = {{4096, 4096}},
                  .ncalls = 1,
                  .gpu = -1};
    ask(&q);
    assert_int_equal(q.form, FORM_POINT);
    assert_int_equal(q.nparameters, 2);
    assert_int_equal(q.raw, 5 * 6);
    assert_int_equal(q.survivors, 5 * 6 - 3); /* 128 and 256 along x are more than 64 threads, 256 more than 128 */
    assert_int_equal(q.knobs.value[GRID_WIDE], 8);
    assert_true(fabs(q.best - 65.0 / 20) < 1e-6); /* 2 * 32 + 1 lines of a warp, 2 * 8 + 4 */
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_map),       cmocka_unit_test(test_few_rows),  cmocka_unit_test(test_idle_lanes),
        cmocka_unit_test(test_registers), cmocka_unit_test(test_far_loads),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
