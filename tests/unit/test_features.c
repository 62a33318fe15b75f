/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Features of configurations of small nests, computed by hand; and of every spec there is: finite, within bounds, the same again. */
#include <dirent.h>
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "gen/front/spec.h"
#include "gen/driver/pipeline.h"
#include "plan/vectors/vector_nest.h"
#include "tune/nests/features.h"
#include "tune/nests/replay.h"
#include "tune/search/constraint_walk.h"

enum { MOST_VALUES = 32 };

typedef struct Case {
    Arena *arena;
    Ir *ir;
    Program program;
    VectorSetId set;
    NestKnobs knobs;
    FeatureValue values[MOST_VALUES];
    int nvalues;
    double out[NEST_FEATURES];
} Case;

static bool load(Case *c, const char *name, const char *text, size_t length)
{
    *c = (Case){.arena = arena_new()};
    c->ir = ir_new(c->arena, diag_new(c->arena, name, text, length, stderr));
    Unit *unit = spec_parse(c->ir, name, text, length);
    const Options opt = {.planner.target = "c", .emit.prefix = "", .licm = LICM_DEFAULTS};
    Text dump;
    text_init(&dump, c->arena);
    return unit && pipeline_run(c->ir, &opt, unit, &c->program, &dump);
}

/* Of the first nest of the first operator, whose integer parameters get the values in their order, ended by -1. */
static Case begin(const char *spec, const int *values)
{
    Case c;
    assert_true(load(&c, "test.spec", spec, strlen(spec)));
    const Func *f = c.program.operators[0].plan->func;
    for (int i = 0; i < f->nparams && values[c.nvalues] >= 0; i++)
        if (!f->params[i]->rank && type_is_integer(f->params[i]->type)) {
            c.values[c.nvalues] = (FeatureValue){f->params[i], values[c.nvalues]};
            c.nvalues++;
        }
    return c;
}

static void features_of_nest(Case *c, Plan *plan, HostNest *nest)
{
    const FeatureInput in = {c->ir, plan, nest, c->set, c->values, c->nvalues, machine_usual(c->set)};
    nest_features_of(&in, c->out);
}

/* With these knobs, ended by KNOB_COUNT, and others as planned; after another configuration, of which nothing may be left. */
static void configure(Case *c, ...)
{
    Plan *plan = c->program.operators[0].plan;
    HostNest *nest = host_nest_at(plan, 0);
    const PlanOptions opt = {0};
    va_list knobs;
    va_start(knobs, c);
    nest->chosen.knobs[c->set] = (NestKnobs){{0}};
    for (int knob = va_arg(knobs, int); knob != KNOB_COUNT; knob = va_arg(knobs, int))
        nest->chosen.knobs[c->set].value[knob] = va_arg(knobs, int);
    va_end(knobs);
    vectorize_nest(c->ir, plan, nest, &opt);
    features_of_nest(c, plan, nest);
}

static void check(const Case *c, NestFeature feature, double expected)
{
    if (fabs(c->out[feature] - expected) > 1e-9 * fmax(1, fabs(expected)))
        fail_msg("%s is %.12g, not %.12g", nest_features[feature].name, c->out[feature], expected);
}

#define VALUES(...) ((const int[]){__VA_ARGS__, -1})

/* ---------------------------------------------------------------- a map */

static const char map_spec[] =
    "void axpy(int n, float a, const float x[n], float y[n]) { for (int i = 0; i < n; i++) y[i] = a * x[i] + y[i]; }";

/* 62 vectors and one of 8 lanes; `a` is spread once. */
static void test_map(void **state)
{
    (void)state;
    Case c = begin(map_spec, VALUES(1000));
    configure(&c, KNOB_COUNT);
    check(&c, FEATURE_LANES, 1000.0 / (63 * 16));
    check(&c, FEATURE_MAIN, 1);
    check(&c, FEATURE_CHAINS, 1);
    check(&c, FEATURE_REGISTERS, 3.0 / 32); /* a; a * x, y */
    check(&c, FEATURE_LOADS, 126.0 / (1 + 126));
    check(&c, FEATURE_STORES, 63.0 / (1 + 126));
    check(&c, FEATURE_STREAMS, log2(1 + 2));
    check(&c, FEATURE_ITERATIONS, log2(1 + 62));
    check(&c, FEATURE_SIZE, log2(1 + 1000));
    check(&c, FEATURE_FROM_L2, 0); /* 8000 bytes are there */
    check(&c, FEATURE_LINES, 1);
    check(&c, FEATURE_PAGES, 0);
    /* Instructions, 4 a cycle: `whole`, two conditions and the spread; 62 * (2 + 2 + 1 + 2), one vector more, each loop's start. */
    check(&c, FEATURE_CYCLES, log2(((11 + 2 + 1) / 4.0 + 62 * 7 / 4.0 + 7 / 4.0 + 2 * START) / 1000));
    check(&c, FEATURE_SCALARS, log2(1 + (13 + 2 * 63) / (127.0 + 126 + 63)));

    configure(&c, KNOB_UNROLL, 4, KNOB_COUNT); /* 15 * 64 + 32 + 8 */
    check(&c, FEATURE_LANES, 1000.0 / (63 * 16));
    check(&c, FEATURE_MAIN, 0.96);
    check(&c, FEATURE_LOADS, 126.0 / (1 + 126));
    check(&c, FEATURE_STREAMS, log2(1 + 2));
    check(&c, FEATURE_ITERATIONS, log2(1 + 15));

    c.set = SET_PORTABLE; /* no masks: 250 vectors, and two lanes that are loaded and stored one by one */
    c.values[0].value = 1002;
    configure(&c, KNOB_COUNT);
    check(&c, FEATURE_LANES, 1002.0 / (251 * 4));
    check(&c, FEATURE_REGISTERS, 3.0 / 16);
    check(&c, FEATURE_LOADS, 2 * 252.0 / (1 + 251 * 2));
    check(&c, FEATURE_STORES, 252.0 / (1 + 251 * 2));
    arena_free(c.arena);
}

/* x is read, y is read and written back. */
static void test_map_from_memory(void **state)
{
    (void)state;
    Case c = begin(map_spec, VALUES(1600000));
    configure(&c, KNOB_COUNT);
    check(&c, FEATURE_FROM_L2, log2(1 + 12));
    check(&c, FEATURE_FROM_L3, log2(1 + 12));
    check(&c, FEATURE_FROM_MEMORY, 0); /* 12.8 MB are in L3 */
    check(&c, FEATURE_CYCLES, log2(12 / 10.0));
    c.values[0].value = 16000000;
    configure(&c, KNOB_COUNT);
    check(&c, FEATURE_FROM_MEMORY, log2(1 + 12));
    check(&c, FEATURE_CYCLES, log2(12 / 4.0));
    check(&c, FEATURE_NON_TEMPORAL, 0);
    arena_free(c.arena);
}

/* Of what is only stored, all but a line at most is stored non-temporally from 16 MB on: 4 bytes instead of 8 that come and go. */
static void test_map_past(void **state)
{
    (void)state;
    Case c = begin("void scale(int n, const float x[n], float y[n]) { for (int i = 0; i < n; i++) y[i] = 2 * x[i]; }", VALUES(16000000));
    configure(&c, KNOB_COUNT);
    check(&c, FEATURE_NON_TEMPORAL, 1);
    check(&c, FEATURE_FROM_MEMORY, log2(1 + 4 + 4));
    configure(&c, KNOB_NON_TEMPORAL, KNOB_NO, KNOB_COUNT);
    check(&c, FEATURE_NON_TEMPORAL, 0);
    check(&c, FEATURE_FROM_MEMORY, log2(1 + 4 + 8));
    c.values[0].value = 1600000;
    configure(&c, KNOB_COUNT);
    check(&c, FEATURE_NON_TEMPORAL, 0);
    check(&c, FEATURE_FROM_L3, log2(1 + 4 + 8));
    arena_free(c.arena);
}

/* ---------------------------------------------------------------- sums */

static const char row_spec[] = "void rows(int n, int m, const float x[n][m], float y[n]) {"
                               "    for (int i = 0; i < n; i++) { float s = 0; for (int j = 0; j < m; j++) s += x[i][j]; y[i] = s; } }";

/* A row is 15 * 64 + 2 * 16 + 8 elements, and two statements of scalars behind them. */
static void test_row_sum(void **state)
{
    (void)state;
    Case c = begin(row_spec, VALUES(100, 1000));
    configure(&c, KNOB_COUNT);
    check(&c, FEATURE_LANES, 1002.0 / (63 * 16 + 2 * 16));
    check(&c, FEATURE_MAIN, 962.0 / 1002);
    check(&c, FEATURE_CHAINS, 4 / 8.0);
    check(&c, FEATURE_REGISTERS, 5.0 / 32);
    /* Masked vectors make a mask, add, choose; 3 additions of vectors, 4 steps of four in one, one of scalars. -0 is spread once. */
    check(&c, FEATURE_LOADS, 6300 / (1 + 100 * (60 + 3 * 3 + 3 + 16 + 1.0)));
    check(&c, FEATURE_STORES, 100 / (1 + 100 * (60 + 3 * 3 + 3 + 16 + 1.0)));
    check(&c, FEATURE_FROM_L2, log2(1 + (400000 + 2 * 400) / 1e5));
    check(&c, FEATURE_FROM_L3, 0); /* 400 KB */
    check(&c, FEATURE_STREAMS, log2(1 + 1));
    check(&c, FEATURE_ITERATIONS, log2(1 + 15));

    configure(&c, KNOB_ACCUMULATORS, 1, KNOB_COUNT);
    check(&c, FEATURE_CHAINS, 1 / 8.0);
    check(&c, FEATURE_MAIN, 1);
    check(&c, FEATURE_REGISTERS, 2.0 / 32);
    /* The sum waits: 4 cycles for each of 62 vectors in 4 * 62 instructions, a little less than there are in the window. */
    assert_true(c.out[FEATURE_CYCLES] > log2(100 * 4 * 62 / (256 / 248.0) / 1e5));
    assert_true(c.out[FEATURE_CYCLES] < log2(100 * 4 * 70 / 1e5));

    configure(&c, KNOB_ACCUMULATORS, 8, KNOB_COUNT);
    check(&c, FEATURE_CHAINS, 1);
    check(&c, FEATURE_MAIN, (7 * 128 + 2) / 1002.0);
    check(&c, FEATURE_REGISTERS, 9.0 / 32);

    c.set = SET_AVX2;
    configure(&c, KNOB_COUNT); /* 31 * 32 + 8 */
    check(&c, FEATURE_LANES, 1002.0 / (1000 + 2 * 8));
    check(&c, FEATURE_MAIN, (992 + 2) / 1002.0);
    check(&c, FEATURE_REGISTERS, 5.0 / 16);
    arena_free(c.arena);
}

/* Streams begin in four parts of the array. */
static void test_whole_sum(void **state)
{
    (void)state;
    Case c = begin("void whole(int n, const float x[n], float y[1]) { float s = 0; for (int i = 0; i < n; i++) s += x[i]; y[0] = s; }",
                   VALUES(1 << 20));
    configure(&c, KNOB_COUNT);
    check(&c, FEATURE_STREAMS, log2(1 + 4));
    configure(&c, KNOB_STREAMS, KNOB_NO, KNOB_COUNT);
    check(&c, FEATURE_STREAMS, log2(1 + 1));
    configure(&c, KNOB_STREAMS, KNOB_YES, KNOB_ACCUMULATORS, 8, KNOB_COUNT);
    check(&c, FEATURE_STREAMS, log2(1 + 8));
    arena_free(c.arena);
}

static const char column_spec[] = "void columns(int n, int m, const float x[n][m], float y[m]) {"
                                  "    for (int j = 0; j < m; j++) { float s = 0; for (int i = 0; i < n; i++) s += x[i][j]; y[j] = s; } }";

/* 3 * 256 + 128 + 64 + 32 + 8 columns, the last as two vectors of which 8 lanes count. A run of the hottest loop reads 1024 bytes from each of
 * 500 rows of 4000. */
static void test_column_sum(void **state)
{
    (void)state;
    Case c = begin(column_spec, VALUES(500, 1000));
    configure(&c, KNOB_COUNT);
    check(&c, FEATURE_LANES, 1000 / 1024.0);
    check(&c, FEATURE_MAIN, 0.768);
    check(&c, FEATURE_CHAINS, 1);
    check(&c, FEATURE_REGISTERS, 17.0 / 32);
    check(&c, FEATURE_LOADS, 32000 / 32001.0);
    check(&c, FEATURE_ITERATIONS, log2(1 + 500));
    check(&c, FEATURE_PAGES, log2((1024 + 4000.0 * 499) / 4096 / 125));
    check(&c, FEATURE_GATHERED, 0);

    configure(&c, KNOB_UNROLL_OUTER, 1, KNOB_COUNT); /* 64 bytes of each of 500 rows */
    check(&c, FEATURE_LANES, 1000.0 / (63 * 16));
    check(&c, FEATURE_CHAINS, 1 / 8.0);
    check(&c, FEATURE_REGISTERS, 2.0 / 32);
    check(&c, FEATURE_PAGES, log2((64 + 4000.0 * 499) / 4096 / 8));

    arena_free(c.arena);
    c = begin(column_spec, VALUES(1000, 500));
    configure(&c, KNOB_LANES, KNOB_INNER, KNOB_COUNT); /* 63 gathers of 16 lanes down each column, of a line each */
    check(&c, FEATURE_CHAINS, 4 / 8.0);
    check(&c, FEATURE_GATHERED, 63 * 16 / 1000.0);
    assert_true(c.out[FEATURE_LINES] < 0.07 && c.out[FEATURE_LOADS] > 10);
    assert_true(c.out[FEATURE_FROM_L2] > log2(1 + 60)); /* a column's lines are gone before the next one */
    arena_free(c.arena);
}

/* ---------------------------------------------------------------- tiles */

/* Rows of x and y come once, and b, which is longer than the cache, with each of them; with each tile of columns, where they go by tiles. */
static void test_tiles_of_rows(void **state)
{
    (void)state;
    Case c = begin("void bias(int n, int m, const float x[n][m], const float b[m], float y[n][m]) {"
                   "    for (int i = 0; i < n; i++) for (int j = 0; j < m; j++) y[i][j] = x[i][j] + b[j]; }",
                   VALUES(100, 100000));
    configure(&c, KNOB_NON_TEMPORAL, KNOB_NO, KNOB_COUNT);
    check(&c, FEATURE_FROM_L2, log2(1 + 4 + 4 + 8));
    check(&c, FEATURE_FROM_L3, log2(1 + 4 + 4 + 8)); /* three rows are 1.2 MB */
    const double lanes = c.out[FEATURE_LANES], cycles = c.out[FEATURE_CYCLES];
    configure(&c, KNOB_NON_TEMPORAL, KNOB_NO, KNOB_TILE, 2048, KNOB_COUNT);
    check(&c, FEATURE_FROM_L2, log2(1 + 4 + 8 + 4 / 100.0));
    check(&c, FEATURE_FROM_L3, log2(1 + 4 + 8 + 4 / 100.0));
    check(&c, FEATURE_LANES, lanes);
    check(&c, FEATURE_SIZE, log2(1 + 1e7));
    check(&c, FEATURE_ITERATIONS, log2(1 + 128));
    assert_true(c.out[FEATURE_CYCLES] <= cycles);
    arena_free(c.arena);
}

static const char cube_spec[] =
    "void cube(int n, const float x[n + 2][n + 2][n + 2], float y[n][n][n]) {"
    "    for (int i = 0; i < n; i++) for (int j = 0; j < n; j++) for (int k = 0; k < n; k++)"
    "        y[i][j][k] = x[i][j + 1][k + 1] + x[i + 2][j + 1][k + 1] + x[i + 1][j][k + 1] + x[i + 1][j + 2][k + 1]; }";

/* Three planes of x are no longer in L2, but those rows of them that a block of 16 rows reads. */
static void test_blocks_of_planes(void **state)
{
    (void)state;
    Case c = begin(cube_spec, VALUES(510));
    configure(&c, KNOB_NON_TEMPORAL, KNOB_NO, KNOB_COUNT);
    const double planes = exp2(c.out[FEATURE_FROM_L3]) - 1;
    assert_true(planes > 8 + 3 * 3.9);
    configure(&c, KNOB_NON_TEMPORAL, KNOB_NO, KNOB_TILE_OUTER, 16, KNOB_COUNT);
    const double blocks = exp2(c.out[FEATURE_FROM_L3]) - 1;
    assert_true(blocks < planes - 3.9); /* once less, at least */
    configure(&c, KNOB_NON_TEMPORAL, KNOB_NO, KNOB_TILE_OUTER, 16, KNOB_TILE, 128, KNOB_COUNT);
    assert_true(exp2(c.out[FEATURE_FROM_L3]) - 1 < planes - 3.9);
    arena_free(c.arena);
}

/* ---------------------------------------------------------------- a window */

static const char window_spec[] = "void window(int n, int c, int k, const float x[n + k][c], const float w[k][c], float y[n][c]) {"
                                  "    for (int i = 0; i < n; i++) for (int j = 0; j < c; j++) {"
                                  "        float s = 0; for (int t = 0; t < k; t++) s += x[i + t][j] * w[t][j]; y[i][j] = s; } }";

/* 4 rows of 64 columns at a time share 4 vectors of w. */
static void test_window(void **state)
{
    (void)state;
    Case c = begin(window_spec, VALUES(100, 128, 3));
    configure(&c, KNOB_COUNT);
    check(&c, FEATURE_LANES, 1);
    check(&c, FEATURE_MAIN, 1);
    check(&c, FEATURE_CHAINS, 1);
    check(&c, FEATURE_REGISTERS, 22.0 / 32); /* 16 sums, 4 of w, x and the product's other factor */
    check(&c, FEATURE_LOADS, 25 * 2 * 3 * 20 / (1 + 25 * 2 * 3 * 16.0));
    check(&c, FEATURE_STORES, 800 / (1 + 25 * 2 * 3 * 16.0));
    check(&c, FEATURE_STREAMS, log2(1 + 5));
    check(&c, FEATURE_SIZE, log2(1 + 38400));
    check(&c, FEATURE_ITERATIONS, log2(1 + 3));
    /* x has rows 0 to 101, w 3, y 100 of 512 bytes. */
    check(&c, FEATURE_FROM_L2, log2(1 + 512 * (102 + 3 + 2 * 100) / 38400.0));

    configure(&c, KNOB_UNROLL_AND_JAM, 1, KNOB_UNROLL_OUTER, 4, KNOB_COUNT);
    check(&c, FEATURE_CHAINS, 4 / 8.0);
    check(&c, FEATURE_REGISTERS, 6.0 / 32);
    check(&c, FEATURE_LOADS, 200 * 3 * 8 / (1 + 200 * 3 * 4.0));

    configure(&c, KNOB_UNROLL_AND_JAM, 2, KNOB_COUNT);
    check(&c, FEATURE_CHAINS, 1);
    check(&c, FEATURE_LOADS, 100 * 3 * 12 / (1 + 100 * 3 * 8.0));
    check(&c, FEATURE_STREAMS, log2(1 + 3));

    c.values[0].value = 102; /* two rows are left */
    configure(&c, KNOB_COUNT);
    check(&c, FEATURE_MAIN, 100 / 102.0);
    arena_free(c.arena);
}

/* 64 sums do not fit 16 registers; 8 do, and hide the latency, which 1 does not. */
static void test_registers_and_chains(void **state)
{
    (void)state;
    Case c = begin(window_spec, VALUES(56, 256, 40));
    c.set = SET_AVX2;
    configure(&c, KNOB_UNROLL_OUTER, 16, KNOB_UNROLL_AND_JAM, 4, KNOB_COUNT);
    const double spilled = c.out[FEATURE_CYCLES];
    check(&c, FEATURE_REGISTERS, (64 + 16 + 2) / 16.0);
    configure(&c, KNOB_UNROLL_OUTER, 2, KNOB_UNROLL_AND_JAM, 4, KNOB_COUNT);
    const double fits = c.out[FEATURE_CYCLES];
    check(&c, FEATURE_REGISTERS, (8 + 2 + 2) / 16.0);
    configure(&c, KNOB_UNROLL_OUTER, 1, KNOB_UNROLL_AND_JAM, 1, KNOB_COUNT);
    check(&c, FEATURE_CHAINS, 1 / 8.0);
    const double waits = c.out[FEATURE_CYCLES];
    assert_true(fits < spilled - 0.5 && fits < waits - 0.5);
    arena_free(c.arena);
}

/* ---------------------------------------------------------------- a row of softmax */

static const char softmax_spec[] = "#include <math.h>\n"
                                   "void softmax(int n, int m, const float x[n][m], float y[n][m]) { for (int i = 0; i < n; i++) {"
                                   "    float top = -INFINITY, sum = 0;"
                                   "    for (int j = 0; j < m; j++) top = fmaxf(top, x[i][j]);"
                                   "    for (int j = 0; j < m; j++) { float e = expf(x[i][j] - top); y[i][j] = e; sum += e; }"
                                   "    for (int j = 0; j < m; j++) y[i][j] = y[i][j] / sum; } }";

static void test_softmax(void **state)
{
    (void)state;
    Case c = begin(softmax_spec, VALUES(100, 1000));
    configure(&c, KNOB_COUNT);
    check(&c, FEATURE_SIZE, log2(1 + 3e5));
    check(&c, FEATURE_CALLS, 63 / 3000.0);
    check(&c, FEATURE_CHAINS, 4 / 8.0); /* of the loop with the exponentials */
    check(&c, FEATURE_ITERATIONS, log2(1 + 15));
    check(&c, FEATURE_PREFETCHES, 60 / 189.0);
    check(&c, FEATURE_STREAMS, log2(1 + 2));
    /* x once, y once there and back: a row is in the cache. */
    check(&c, FEATURE_FROM_L2, log2(1 + (4 + 2 * 4) * 1e5 / 3e5));
    /* 4 sums and the maximum; three exponentials while the fourth is computed. */
    check(&c, FEATURE_REGISTERS, (4 + 1 + 3 + 5) / 32.0);

    configure(&c, KNOB_ACCUMULATORS_MATH, 8, KNOB_PREFETCH_ROW, KNOB_NO, KNOB_COUNT);
    check(&c, FEATURE_PREFETCHES, 0);
    check(&c, FEATURE_CHAINS, 1);
    check(&c, FEATURE_ITERATIONS, log2(1 + 7));

    configure(&c, KNOB_ACCUMULATORS_MATH, 1, KNOB_UNROLL, 4, KNOB_COUNT);
    check(&c, FEATURE_CHAINS, 1 / 8.0);
    check(&c, FEATURE_CALLS, 63 / 3000.0);

    c.values[1].value = 100000; /* a row no longer fits L1: x twice, y three times, of which two are stores */
    configure(&c, KNOB_COUNT);
    check(&c, FEATURE_FROM_L2, log2(1 + (2 * 4 + 2 * 2 * 4) / 3.0));
    arena_free(c.arena);
}

/* ---------------------------------------------------------------- what is not known, or not the same in all iterations */

/* Row i has i elements: 0 to 100, 50 on the whole. */
static void test_triangle(void **state)
{
    (void)state;
    Case c = begin("void triangle(int n, const float x[n][n], float y[n]) {"
                   "    for (int i = 0; i < n; i++) { float s = 0; for (int j = 0; j < i; j++) s += x[i][j]; y[i] = s; } }",
                   VALUES(101));
    configure(&c, KNOB_COUNT);
    check(&c, FEATURE_SIZE, log2(1 + 5050));
    arena_free(c.arena);
}

/* Rows of a sparse matrix are as long as memory says. */
static void test_unknown_trips(void **state)
{
    (void)state;
    Case c = begin("void csr(int n, int nnz, const int row[n + 1], const float v[nnz], float y[n]) {"
                   "    for (int i = 0; i < n; i++) { float s = 0; for (int k = row[i]; k < row[i + 1]; k++) s += v[k]; y[i] = s; } }",
                   VALUES(100, 5000));
    configure(&c, KNOB_COUNT);
    check(&c, FEATURE_SIZE, log2(1 + 100.0 * UNKNOWN_TRIPS));
    arena_free(c.arena);
}

/* 1600 elements anywhere in 4 MB: a line each, of which some meet. */
static void test_gather(void **state)
{
    (void)state;
    Case c = begin("void gather(int n, int m, const int place[n], const float x[m], float y[n]) {"
                   "    for (int i = 0; i < n; i++) y[i] = x[place[i]]; }",
                   VALUES(1600, 1000000));
    configure(&c, KNOB_COUNT);
    check(&c, FEATURE_GATHERED, 1);
    check(&c, FEATURE_FROM_L2, log2(1 + (4e6 * (1 - exp(-1600 * 64 / 4e6)) + 1600 * (4 + 2 * 4)) / 1600));
    assert_true(c.out[FEATURE_LINES] < 0.2);
    c.values[1].value = 1000; /* of 4000 bytes all lines are touched, once, and stay */
    configure(&c, KNOB_COUNT);
    check(&c, FEATURE_FROM_L2, 0);
    arena_free(c.arena);
}

/* The shape is one at which the emitted file leaves vectors alone. */
static void test_few_iterations(void **state)
{
    (void)state;
    Case c = begin(row_spec, VALUES(100, 2));
    configure(&c, KNOB_COUNT);
    assert_non_null(host_nest_at(c.program.operators[0].plan, 0)->vectors.few);
    check(&c, FEATURE_LANES, 1 / 16.0);
    check(&c, FEATURE_CHAINS, 1 / 8.0);
    arena_free(c.arena);
}

/* Threads get whole iterations: 5 on 4 of them, one of which has two. */
static void test_balance(void **state)
{
    (void)state;
    Case c = begin(row_spec, VALUES(5, 1000));
    const HostNest *nest = host_nest_at(c.program.operators[0].plan, 0);
    FeatureInput in = {c.ir, c.program.operators[0].plan, nest, c.set, c.values, c.nvalues, machine_usual(c.set)};
    in.machine.threads = 4;
    nest_features_of(&in, c.out);
    check(&c, FEATURE_BALANCE, 5 / 8.0);
    /* Of 12 iterations in 8 pieces a thread has two, of two each; of 5 there are no more pieces than iterations. */
    host_nest_at(c.program.operators[0].plan, 0)->chosen.knobs[c.set].value[KNOB_TASKS] = 2;
    nest_features_of(&in, c.out);
    check(&c, FEATURE_BALANCE, 5 / 8.0);
    c.values[0].value = 12;
    nest_features_of(&in, c.out);
    check(&c, FEATURE_BALANCE, 12 / 16.0);
    host_nest_at(c.program.operators[0].plan, 0)->chosen.knobs[c.set].value[KNOB_TASKS] = KNOB_PLANNED;
    nest_features_of(&in, c.out);
    check(&c, FEATURE_BALANCE, 1);
    arena_free(c.arena);
}

/* ---------------------------------------------------------------- any spec */

static void draw_values(Case *c, const Func *f, uint64_t *seed)
{
    c->nvalues = 0;
    for (int i = 0; i < f->nparams && c->nvalues < MOST_VALUES; i++) {
        const Sym *sym = f->params[i];
        if (sym->rank || !type_is_integer(sym->type))
            continue;
        const int value = 1 << tune_random(seed, 12);
        c->values[c->nvalues++] = (FeatureValue){sym, value + tune_random(seed, value)};
    }
}

static void check_bounds(const Case *c, const char *name, const HostNest *nest)
{
    for (int i = 0; i < NEST_FEATURES; i++)
        if (!isfinite(c->out[i]) || c->out[i] < nest_features[i].least || c->out[i] > nest_features[i].most)
            fail_msg("%s, %s: %s is %g", name, nest->stem, nest_features[i].name, c->out[i]);
}

/* As they are and again: the same; what has been replayed itself is finite, too. */
static void check_shape(Case *c, const char *name, Plan *plan, HostNest *nest)
{
    double first[NEST_FEATURES];
    features_of_nest(c, plan, nest);
    check_bounds(c, name, nest);
    memcpy(first, c->out, sizeof first);
    features_of_nest(c, plan, nest);
    assert_memory_equal(first, c->out, sizeof first);
    const FeatureInput in = {c->ir, plan, nest, c->set, c->values, c->nvalues, machine_usual(c->set)};
    const Func *form = nest->vectors.form[c->set] ? nest->vectors.form[c->set] : nest->loops;
    const Replay *replay = replay_nest(&in, c->ir->scratch, form->body);
    for (int i = 0; i < replay->loops.count; i++) {
        const Work *work = &((ReplayLoop *)replay->loops.items[i])->work;
        assert_true(isfinite(work->arithmetic) && isfinite(work->loads) && isfinite(work->stores) && isfinite(work->scalars));
        assert_true(work->wanted <= work->lanes * (1 + 1e-9) && work->in_main <= work->wanted * (1 + 1e-9));
    }
    arena_reset(c->ir->scratch);
}

static void check_nest(Case *c, const char *name, Plan *plan, HostNest *nest, uint64_t *seed)
{
    enum { CONFIGURATIONS = 4, SHAPES = 3 };
    const PlanOptions opt = {0};
    for (int i = 0; i < CONFIGURATIONS; i++) {
        c->set = (VectorSetId)tune_random(seed, SET_COUNT);
        for (int knob = 0; knob < KNOB_COUNT; knob++) {
            int values = 0;
            while (values < KNOB_VALUES && knob_info[knob].values[values])
                values++;
            nest->chosen.knobs[c->set].value[knob] = i ? knob_info[knob].values[tune_random(seed, values)] : KNOB_PLANNED;
        }
        if (i)
            vectorize_nest(c->ir, plan, nest, &opt);
        for (int shape = 0; shape < SHAPES; shape++) {
            draw_values(c, plan->func, seed);
            check_shape(c, name, plan, nest);
        }
    }
}

static int check_spec(const char *name)
{
    FILE *f = fopen(name, "r");
    assert_non_null(f);
    static char text[1 << 17];
    const size_t length = fread(text, 1, sizeof text, f);
    fclose(f);
    Case c;
    uint64_t seed = length;
    int nests = 0;
    assert_true(load(&c, name, text, length));
    for (int i = 0; i < c.program.noperators; i++) {
        Plan *plan = c.program.operators[i].plan;
        for (int n = 0; n < host_nest_count(plan); n++, nests++)
            check_nest(&c, name, plan, host_nest_at(plan, n), &seed);
    }
    arena_free(c.arena);
    return nests;
}

static int compare_names(const void *a, const void *b) { return strcmp(*(const char *const *)a, *(const char *const *)b); }

/* Of the folder and those in it. */
static int check_folder(const char *folder)
{
    Arena *arena = arena_new();
    Vec names = {0};
    int nests = 0;
    DIR *d = opendir(folder);
    for (const struct dirent *e = d ? readdir(d) : NULL; e; e = readdir(d))
        if (e->d_name[0] != '.')
            vec_push(arena, &names, arena_printf(arena, "%s/%s", folder, e->d_name));
    if (d)
        closedir(d);
    if (names.count)
        qsort(names.items, (size_t)names.count, sizeof *names.items, compare_names);
    for (int i = 0; i < names.count; i++) {
        const char *name = names.items[i], *dot = strrchr(name, '.');
        if (dot && strcmp(dot, ".spec") == 0)
            nests += check_spec(name);
        else if (!dot)
            nests += check_folder(name);
    }
    arena_free(arena);
    return nests;
}

static void test_examples(void **state)
{
    (void)state;
    assert_true(check_folder("examples") > 20);
}

static void test_specs(void **state)
{
    (void)state;
    assert_true(check_folder("tests/specs") > 150);
}

static void test_table(void **state)
{
    (void)state;
    for (int i = 0; i < NEST_FEATURES; i++) {
        assert_true(nest_features[i].name && nest_features[i].what && nest_features[i].unit);
        assert_true(nest_features[i].least < nest_features[i].most);
        for (int j = 0; j < i; j++)
            assert_string_not_equal(nest_features[i].name, nest_features[j].name);
    }
}

static void test_machine(void **state)
{
    (void)state;
    const Machine one = machine_here(SET_AVX2, 1), four = machine_here(SET_AVX2, 4);
    assert_true(one.registers == 16 && one.cache_bytes[0] >= 4096);
    assert_true(four.threads == 4 && four.cache_bytes[2] == one.cache_bytes[2] / 4);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_table),
        cmocka_unit_test(test_machine),
        cmocka_unit_test(test_map),
        cmocka_unit_test(test_map_from_memory),
        cmocka_unit_test(test_map_past),
        cmocka_unit_test(test_row_sum),
        cmocka_unit_test(test_whole_sum),
        cmocka_unit_test(test_column_sum),
        cmocka_unit_test(test_tiles_of_rows),
        cmocka_unit_test(test_blocks_of_planes),
        cmocka_unit_test(test_window),
        cmocka_unit_test(test_registers_and_chains),
        cmocka_unit_test(test_softmax),
        cmocka_unit_test(test_triangle),
        cmocka_unit_test(test_unknown_trips),
        cmocka_unit_test(test_gather),
        cmocka_unit_test(test_few_iterations),
        cmocka_unit_test(test_balance),
        cmocka_unit_test(test_examples),
        cmocka_unit_test(test_specs),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
