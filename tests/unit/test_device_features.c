/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The eight features against numbers worked out by hand: a tile of a product, a map, a row that is summed; and what counts of the trees of
 * their forms. */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "plan/split/operator.h"
#include "plan/grid/split_device.h"
#include "plan/kernels/gpu.h"
#include "plan/targets.h"
#include "tests/unit/tree.h"
#include "tune/nest_lines.h"
#include "tune/nests/device_counts.h"

static void assert_near(double found, double wanted)
{
    if (!(fabs(found - wanted) <= 1e-9 * fabs(wanted)))
        fail_msg("%.12g instead of %.12g", found, wanted);
}

static void assert_features(const DeviceNumbers *n, const DeviceLimits *limits, const double wanted[DEVICE_FEATURES])
{
    double feature[DEVICE_FEATURES];
    assert_true(device_features(limits, n, feature));
    for (int i = 0; i < DEVICE_FEATURES; i++)
        if (!(fabs(feature[i] - wanted[i]) <= 1e-9 * fabs(wanted[i])))
            fail_msg("%s: %.12g instead of %.12g", device_feature_info[i].name, feature[i], wanted[i]);
}

/* ---------------------------------------------------------------- formulas */

/* C[1024][1024] of 1024 steps: blocks of 64 x 64, 16 steps at a time, threads of 4 x 4. */
static DeviceNumbers product_tile(const DeviceLimits *limits)
{
    int64_t a[32], b[32], line_a[32], line_b[32];
    for (int i = 0; i < 32; i++) {
        a[i] = i / 16 * 4 * 16;             /* A[4 * ty][k]: two words, of one bank */
        b[i] = i % 16 * 4;                  /* B[k][4 * tx]: 16 words, of 8 banks */
        line_a[i] = i / 16 * 4096 + i % 16 * 4; /* A's rows of 16 floats lie in a matrix of 1024 columns */
        line_b[i] = i * 4;
    }
    assert_int_equal(bank_transactions(a, 32, 32), 2);
    assert_int_equal(bank_transactions(b, 32, 32), 2);
    assert_int_equal(lines_of_warp(line_a, 32, 4, 128), 2);
    assert_int_equal(lines_of_warp(line_b, 32, 4, 128), 1);
    const double stage = staging_transactions(limits, 64 * 16, 256, 1, 2) + staging_transactions(limits, 16 * 64, 256, 1, 1);
    assert_near(stage, 64 + 32);
    return (DeviceNumbers){.blocks = 256,
                           .threads = 256,
                           .outputs = 16,
                           .elements = 16 + 4 + 4,
                           .shared = 8192,
                           .shared_elements = 2048,
                           .reuse = {4, 4},
                           .ninputs = 2,
                           .iterations = 1073741824,
                           .transactions = 256 * 64 * stage,
                           .depth = 16,
                           .shared_transactions = 16 * 8 * (4 * 2 + 4 * 2)};
}

/* With the paper's constants: 48 KiB of shared memory, 64 warps, 64 K registers. */
static DeviceLimits papers_limits(void)
{
    DeviceLimits limits = *device_limits(GPU_SM80);
    limits.shared = limits.block_shared = 48 * 1024;
    return limits;
}

static void test_product(void **state)
{
    (void)state;
    const DeviceLimits limits = papers_limits();
    const DeviceNumbers n = product_tile(&limits);
    const double wlp = 65536.0 / (49 * 256);
    /* 8 blocks by warps, 6 by shared memory, 5 by 44 registers for each thread */
    assert_int_equal(resident_blocks(&limits, 256, 44, 8192), 5);
    assert_near(warps_by_shared(&limits, 256, 2048), 256);
    const double wanted[] = {256.0 / 108 / 3, 5 * 8 / 64.0, 16, wlp, 16 * wlp, 2, 1073741824 / (32.0 * 1572864), 1};
    assert_features(&n, &limits, wanted);
}

/* Each limit by itself. */
static void test_infeasible(void **state)
{
    (void)state;
    const DeviceLimits limits = papers_limits();
    const DeviceNumbers good = product_tile(&limits);
    DeviceNumbers bad[] = {good, good, good, good};
    double feature[DEVICE_FEATURES];
    bad[0].threads = 31;
    bad[1].threads = 1025;
    bad[2].elements = 237;
    bad[3].shared = 48 * 1024 + 1;
    for (int i = 0; i < 4; i++) {
        feature[FEATURE_SHARED] = 1;
        assert_false(device_features(&limits, &bad[i], feature));
        for (int f = 0; f < DEVICE_FEATURES; f++)
            assert_true(feature[f] == 0);
    }
    DeviceNumbers edge = good;
    edge.threads = 32;
    edge.elements = 236;
    edge.shared = 48 * 1024;
    assert_true(device_features(&limits, &edge, feature));
}

static void test_formulas(void **state)
{
    (void)state;
    const DeviceLimits limits = papers_limits();
    const double reuse[] = {2, 4, 4}, one[] = {8};
    int64_t far[32], same[32], across[32], twice[32];
    for (int i = 0; i < 32; i++) {
        far[i] = 32 * i;
        same[i] = 7;
        across[i] = 33 * i;
        twice[i] = i % 2 ? 32 : 0;
    }
    assert_near(wave_efficiency(108, 108), 1);
    assert_near(wave_efficiency(109, 108), 109.0 / 216);
    assert_near(wave_efficiency(1, 108), 1.0 / 108);
    assert_near(register_reuse(reuse, 3), 1);
    assert_near(register_reuse(one, 1), 8);
    assert_true(register_reuse(NULL, 0) == 0);
    assert_near(occupancy_of(&limits, 33, 20, 0), 32 * 2 / 64.0); /* a warp that is not full is a warp */
    assert_near(occupancy_of(&limits, 1024, 65, 0), 0);           /* one such block has too many registers */
    assert_true(isinf(warps_by_shared(&limits, 256, 0)));
    assert_int_equal(bank_transactions(far, 32, 32), 32);
    assert_int_equal(bank_transactions(same, 32, 32), 1);
    assert_int_equal(bank_transactions(across, 32, 32), 1);
    assert_int_equal(bank_transactions(twice, 32, 32), 2);
    assert_int_equal(lines_of_warp(far, 32, 4, 128), 8); /* 1024 bytes */
    assert_int_equal(lines_of_warp(same, 32, 4, 128), 1);
    assert_int_equal(lines_of_warp((int64_t[]){-4, 0, 126}, 3, 4, 128), 3);
}

/* ---------------------------------------------------------------- trees */

typedef struct Case {
    Tree tree;
    const DeviceNest *nest;
    ScalarValue scalars[4];
    int nscalars;
} Case;

static GridKnobs given_knobs(const void *knobs, Ir *ir, const GridInput *in)
{
    (void)ir;
    (void)in;
    return *(const GridKnobs *)knobs;
}

/* The only nest of a spec, with these knobs, and what its scalar parameters are worth. */
static Case case_with(const char *spec, const int64_t *values, GridKnobs knobs)
{
    Case c = {.tree = tree_new()};
    Func *f = tree_parse(c.tree, "test.spec", spec);
    assert_non_null(f);
    const PlanOptions opt = {.cuda = true, .grid_knobs = given_knobs, .grid_user = &knobs};
    for (int i = 0; i < f->nparams; i++)
        if (!f->params[i]->rank) {
            c.scalars[c.nscalars] = (ScalarValue){f->params[i], values[c.nscalars]};
            c.nscalars++;
        }
    Node *source = f->body;
    Plan *plan = plan_operator(c.tree.ir, f, &opt);
    plan->source = source;
    split_device(c.tree.ir, plan, &opt);
    assert_int_equal(device_nest_count(plan), 1);
    c.nest = device_nest_at(plan, 0);
    return c;
}

static Case case_of(const char *spec, const int64_t *values) { return case_with(spec, values, (GridKnobs){{0}}); }

static DeviceNumbers numbers_with(const Case *c, NestForm form, GridKnob knob, int value)
{
    DeviceNumbers n;
    DeviceNest nest = *c->nest;
    nest.knobs.value[knob] = value;
    assert_true(device_numbers(c->tree.ir, &nest, form, c->scalars, c->nscalars, device_limits(GPU_SM80), &n));
    return n;
}

static DeviceNumbers numbers_of(const Case *c, NestForm form) { return numbers_with(c, form, GRID_THREADS, 0); }

static void test_map(void **state)
{
    (void)state;
    const Case c = case_of("void f(int n, const float x[n], float y[n])\n"
                           "{ for (int i = 0; i < n; i++) y[i] = 2 * x[i]; }\n",
                           (int64_t[]){1 << 20});
    DeviceNumbers n = numbers_of(&c, FORM_VECTOR);
    const double wlp = 65536.0 / (33 * 256); /* 4 floats of x, 4 of y */
    const double wanted[] = {1024 / 108.0 / 10, 1, 4, wlp, 4 * wlp, 1, 0.5, 0};
    assert_features(&n, device_limits(GPU_SM80), wanted);
    assert_near(n.transactions, 65536); /* 4 MiB there, 4 MiB back */
    n = numbers_of(&c, FORM_POINT);
    assert_int_equal(n.blocks, 4096);
    assert_int_equal(n.outputs, 1);
    assert_near(n.transactions, 65536);
    n = numbers_with(&c, FORM_POINT, GRID_THREADS, 1024);
    assert_int_equal(n.blocks, 1024);
    assert_int_equal(n.threads, 1024);
    arena_free(c.tree.arena);
}

static void test_row(void **state)
{
    (void)state;
    const Case c = case_of("void f(int m, int n, const float x[m][n], float y[m])\n"
                           "{ for (int i = 0; i < m; i++) { float s = 0; for (int j = 0; j < n; j++) s += x[i][j]; y[i] = s; } }\n",
                           (int64_t[]){1000, 4096});
    DeviceNumbers n = numbers_of(&c, FORM_BLOCK);
    const double wlp = 65536.0 / (28 * 256); /* i, s, j */
    /* 8 warps load 16 lines each, one stores one; each leaves its part of s and fetches all */
    const double wanted[] = {1000 / 108.0 / 10, 1, 1, wlp, wlp, 1, 4096000 / (32.0 * 129000), 256 * 16 / 32.0 / 16};
    assert_features(&n, device_limits(GPU_SM80), wanted);
    assert_int_equal(n.shared, 32);
    n = numbers_with(&c, FORM_WARP, GRID_ROWS, 32);
    assert_int_equal(n.threads, 1024);
    assert_int_equal(n.blocks, 32);
    assert_near(n.transactions, 129000); /* the last block is not full */
    n = numbers_of(&c, FORM_WARP);
    assert_int_equal(n.blocks, 125);
    assert_near(n.transactions, 129000);
    assert_near(n.shared_transactions, 0);
    n = numbers_of(&c, FORM_POINT); /* each lane in a row of its own; 232 of 256 threads have one, in 4 blocks */
    assert_int_equal(n.blocks, 4);
    assert_near(n.transactions, 1000 / 32.0 * (4096 * 32 + 1.0));
    assert_near(n.iterations, 4096000);
    n = numbers_of(&c, FORM_PARTS);
    assert_int_equal(n.blocks, 1000); /* too many rows to be cut */
    arena_free(c.tree.arena);
}

/* Neighbours along x store in one line and load from 32; a tile does both in one, through shared memory. */
static void test_transpose(void **state)
{
    (void)state;
    const Case c = case_of("void f(int m, int n, const float x[n][m], float y[m][n])\n"
                           "{ for (int i = 0; i < m; i++) for (int j = 0; j < n; j++) y[i][j] = 3 * x[j][i]; }\n",
                           (int64_t[]){1024, 2048});
    DeviceNumbers n = numbers_of(&c, FORM_POINT); /* 64 x 4 threads */
    assert_int_equal(n.blocks, 32 * 256);
    assert_near(n.transactions, 32 * 256 * 8 * (32 + 1.0));
    n = numbers_with(&c, FORM_POINT, GRID_WIDE, 8); /* a warp of 8 x 4: 8 lines, 4 */
    assert_int_equal(n.blocks, 256 * 32);
    assert_near(n.transactions, 256 * 32 * 8 * (8 + 4.0));
    n = numbers_of(&c, FORM_TILE);
    assert_int_equal(n.blocks, 64 * 32);
    assert_int_equal(n.outputs, 4);
    assert_int_equal(n.shared, 32 * 33 * 4);
    assert_near(n.transactions, 2.0 * 1024 * 2048 / 32);
    assert_near(n.shared_transactions, 64);
    n = numbers_with(&c, FORM_TILE, GRID_TILE, 32);
    assert_int_equal(n.threads, 1024);
    assert_int_equal(n.outputs, 1);
    assert_near(n.transactions, 2.0 * 1024 * 2048 / 32);
    arena_free(c.tree.arena);
}

/* Trees are made for the knobs: which lanes have which iterations, how many elements a group has. */
static void test_knobs(void **state)
{
    (void)state;
    static const char row[] = "void f(int m, int n, const float x[m][n], float y[m])\n"
                              "{ for (int i = 0; i < m; i++) { float s = 0; for (int j = 0; j < n; j++) s += x[i][j]; y[i] = s; } }\n";
    static const char map[] = "void f(int n, const float x[n], float y[n])\n"
                              "{ for (int i = 0; i < n; i++) y[i] = 2 * x[i]; }\n";
    static const char column[] = "void f(int m, int n, const float x[m][n], float y[n])\n"
                                 "{ for (int j = 0; j < n; j++) { float s = 0; for (int i = 0; i < m; i++) s += x[i][j]; y[j] = s; } }\n";
    Case c = case_with(row, (int64_t[]){1000, 4096}, (GridKnobs){.value[GRID_LANES] = 512});
    DeviceNumbers n = numbers_with(&c, FORM_BLOCK, GRID_LANES, 512);
    assert_int_equal(n.threads, 512);
    assert_near(n.transactions, 129000);
    assert_near(n.depth, 8);
    const uint64_t number = c.nest->fingerprint;
    arena_free(c.tree.arena);
    c = case_of(row, (int64_t[]){1, 1});
    assert_true(c.nest->fingerprint == number); /* a nest is the same whatever its knobs */
    arena_free(c.tree.arena);
    c = case_with(map, (int64_t[]){1 << 20}, (GridKnobs){.value[GRID_PIECES] = 2});
    n = numbers_of(&c, FORM_VECTOR);
    assert_int_equal(n.outputs, 8);
    assert_int_equal(n.elements, 16);
    assert_int_equal(n.blocks, 512);
    assert_near(n.transactions, 2 * 65536); /* half of each line at a time */
    assert_true(c.nest->fingerprint != number);
    arena_free(c.tree.arena);
    c = case_with(column, (int64_t[]){640, 320}, (GridKnobs){.value[GRID_COLUMN] = 32});
    n = numbers_with(&c, FORM_COLUMNS, GRID_COLUMN, 32);
    assert_int_equal(n.threads, 1024);
    assert_int_equal(n.blocks, 10);
    assert_int_equal(n.shared, 32 * 32 * 4);
    assert_near(n.transactions, 10 * (640 + 1.0)); /* lane 0 of each column stores */
    arena_free(c.tree.arena);
}

/* A profile says what; the line for the file's own kind of GPU wins, then that for the newest. */
static void test_lines(void **state)
{
    (void)state;
    static const char text[] = "mikgen-profile 1\n"
                               "grid sm_80 00000000000000ff threads 64 ns 1\n"
                               "grid sm_89 00000000000000ff lanes 1024 ns 1\n";
    Arena *arena = arena_new();
    Diag *diag = diag_new(arena, "test.profile", text, strlen(text), stderr);
    const Profile *profile = profile_parse(arena, diag, text, NULL, gpu_ends_name);
    const DeviceNest nest = {.fingerprint = 255}, other = {.fingerprint = 254};
    GridKnobs knobs;
    assert_non_null(profile);
    assert_true(grid_choose(arena, profile, &nest, GPU_SM80, &knobs));
    assert_int_equal(knobs.value[GRID_THREADS], 64);
    assert_int_equal(knobs.value[GRID_LANES], 0);
    for (int gpu = -1; gpu < GPU_COUNT; gpu++)
        if (gpu != GPU_SM80) {
            assert_true(grid_choose(arena, profile, &nest, gpu, &knobs));
            assert_int_equal(knobs.value[GRID_THREADS], 0);
            assert_int_equal(knobs.value[GRID_LANES], 1024);
        }
    assert_false(grid_choose(arena, profile, &other, GPU_SM80, &knobs));
    assert_int_equal(knobs.value[GRID_THREADS], 0);
    assert_false(grid_choose(arena, NULL, &nest, GPU_SM80, &knobs));
    arena_free(arena);
}

/* Places that memory names are a line each; what a loop does not move is loaded once; a loop of 8 iterations uses it 8 times. */
static void test_gather(void **state)
{
    (void)state;
    const Case c = case_of(
        "void f(int n, int m, const int at[n], const float x[m], const float w[8], float y[n][8])\n"
        "{ for (int i = 0; i < n; i++) { float v = x[at[i]];\n"
        "  for (int k = 0; k < 8; k++) { float u = v; for (int t = 0; t < 4; t++) u = u * w[k] + at[i]; y[i][k] = u; } } }\n",
        (int64_t[]){2560, 999});
    const DeviceNumbers n = numbers_of(&c, FORM_POINT);
    assert_int_equal(c.nest->naxes, 1);
    assert_int_equal(n.blocks, 10);
    /* a warp: at 1 + 1, x 32, w 8, y 8 * 8 */
    assert_near(n.transactions, 80 * (2 + 32 + 8 + 64.0));
    assert_near(n.iterations, 2560 * 32);
    assert_int_equal(n.ninputs, 3);
    assert_near(n.reuse[0], 1);  /* at: the first of its loads stands in no loop */
    assert_near(n.reuse[1], 1);  /* x */
    assert_near(n.reuse[2], 4);  /* w */
    arena_free(c.tree.arena);
}

/* Extents that nobody gives, and forms that are not there. */
static void test_unknown(void **state)
{
    (void)state;
    const Case c = case_of("void f(int n, const float x[n], float y[n])\n"
                           "{ for (int i = 0; i < n; i++) y[i] = 2 * x[i]; }\n",
                           (int64_t[]){0});
    DeviceNumbers n;
    assert_false(device_numbers(c.tree.ir, c.nest, FORM_POINT, NULL, 0, device_limits(GPU_SM80), &n));
    assert_false(device_numbers(c.tree.ir, c.nest, FORM_POINT, c.scalars, c.nscalars, device_limits(GPU_SM80), &n));
    const ScalarValue some = {c.scalars[0].scalar, 100};
    assert_false(device_numbers(c.tree.ir, c.nest, FORM_WARP, &some, 1, device_limits(GPU_SM80), &n));
    assert_true(device_numbers(c.tree.ir, c.nest, FORM_POINT, &some, 1, device_limits(GPU_SM80), &n));
    assert_int_equal(n.threads, 128);
    assert_near(n.transactions, 2 * 4);
    arena_free(c.tree.arena);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_product), cmocka_unit_test(test_infeasible), cmocka_unit_test(test_formulas), cmocka_unit_test(test_map),
        cmocka_unit_test(test_row),     cmocka_unit_test(test_transpose),  cmocka_unit_test(test_gather),   cmocka_unit_test(test_unknown),
        cmocka_unit_test(test_knobs),   cmocka_unit_test(test_lines),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
