/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Expressions with numbers for their scalars, and how long calls take by the plan: of small operators, computed by hand. */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

#include "gen/driver/pipeline.h"
#include "gen/driver/shape_work.h"
#include "tests/unit/tree.h"

/* ---------------------------------------------------------------- expressions */

typedef struct Numbers {
    Tree tree;
    Map values;
    Node *a, *b, *unknown; /* 7, -2, and what nobody knows */
} Numbers;

static Numbers numbers(void)
{
    static double values[] = {7, -2};
    Numbers n = {.tree = tree_new()};
    const Func *f = tree_parse(n.tree, "test.spec", "void f(int a, int b, int unknown, float y[1]) { y[0] = 0; }");
    assert_non_null(f);
    for (int i = 0; i < 2; i++)
        *map_at(n.tree.arena, &n.values, f->params[i]->id) = &values[i];
    n.a = mk_var(n.tree.ir, f->params[0]);
    n.b = mk_var(n.tree.ir, f->params[1]);
    n.unknown = mk_var(n.tree.ir, f->params[2]);
    return n;
}

static void check_binary(const Numbers *n, Kind kind, Node *a, Node *b, double expected)
{
    const double value = shape_number(mk_binary(n->tree.ir, kind, a, b), &n->values);
    assert_true(isnan(expected) ? isnan(value) : value == expected);
}

static void expressions_have_the_values_of_c(void **state)
{
    (void)state;
    const Numbers n = numbers();
    Node *zero = mk_int(n.tree.ir, T_INT, 0);
    check_binary(&n, N_ADD, n.a, n.b, 5);
    check_binary(&n, N_SUB, n.a, n.b, 9);
    check_binary(&n, N_MUL, n.a, n.b, -14);
    check_binary(&n, N_DIV, n.a, n.b, -3);
    check_binary(&n, N_MOD, n.b, n.a, -2);
    check_binary(&n, N_DIV, n.a, zero, NAN);
    check_binary(&n, N_MIN, n.a, n.b, -2);
    check_binary(&n, N_MAX, n.a, n.b, 7);
    check_binary(&n, N_LT, n.b, n.a, 1);
    check_binary(&n, N_NE, n.a, n.a, 0);
    Node *real[] = {mk_cast(n.tree.ir, T_DOUBLE, n.a), mk_cast(n.tree.ir, T_DOUBLE, n.b)};
    check_binary(&n, N_DIV, real[0], real[1], -3.5);
    arena_free(n.tree.arena);
}

static void what_is_unknown_makes_unknown_what_hangs_on_it(void **state)
{
    (void)state;
    const Numbers n = numbers();
    Ir *ir = n.tree.ir;
    Node *zero = mk_int(ir, T_INT, 0), *one = mk_int(ir, T_INT, 1);
    for (Kind kind = N_MUL; kind <= N_MAX; kind++)
        if (kind != N_SHL && kind != N_SHR && kind != N_SEL && kind != N_LAND && kind != N_LOR)
            check_binary(&n, kind, n.a, n.unknown, NAN);
    check_binary(&n, N_LAND, n.unknown, zero, 0);
    check_binary(&n, N_LAND, n.unknown, one, NAN);
    check_binary(&n, N_LOR, n.unknown, one, 1);
    check_binary(&n, N_LOR, zero, n.unknown, NAN);
    assert_true(shape_number(mk_select(ir, one, n.a, n.unknown), &n.values) == 7);
    assert_true(shape_number(mk_select(ir, zero, n.unknown, n.b), &n.values) == -2);
    assert_true(isnan(shape_number(mk_select(ir, n.unknown, n.a, n.a), &n.values)));
    arena_free(n.tree.arena);
}

/* ---------------------------------------------------------------- calls */

/* Nanoseconds of a call of the spec's operator, whose integer parameters get the values in their order. */
static double work_at(const char *spec, const int *values)
{
    Tree t = tree_new();
    const Options opt = {.planner.target = "c", .emit.prefix = "", .licm = LICM_DEFAULTS};
    Program program;
    Text dump;
    Map map = {0};
    text_init(&dump, t.arena);
    t.ir->diag = diag_new(t.arena, "test.spec", spec, strlen(spec), stderr);
    Unit *unit = spec_parse(t.ir, "test.spec", spec, strlen(spec));
    assert_non_null(unit);
    assert_true(pipeline_run(t.ir, &opt, unit, &program, &dump));
    const Plan *plan = program.operators[0].plan;
    for (int i = 0; i < plan->func->nparams; i++) {
        const Sym *s = plan->func->params[i];
        if (s->rank || !type_is_integer(s->type))
            continue;
        double *value = arena_new_array(t.arena, double, 1);
        *value = *values++;
        *map_at(t.arena, &map, s->id) = value;
    }
    const double work = shape_work(t.ir, plan, &map);
    arena_free(t.arena);
    return work;
}

/* values...: of the integer parameters */
#define CHECK(expected, spec, ...) check(expected, work_at(spec, (const int[]){__VA_ARGS__}))
static void check(double expected, double work)
{
    if (fabs(work - expected) > 1e-6 * expected + 1e-9)
        fail_msg("%g ns instead of %g", work, expected);
}

/* What nests take, plan/nests/work.c says: 0.1 a load or store, 0.02 an operation, of subscripts too. */
#define MAP   "void f(int n, int m, const float x[n], float y[n]) "
#define TWICE "for (int i = 0; i < n; i++) y[i] = 2 * x[i];" /* 0.22 for each */
#define COPY  "for (int i = 0; i < n; i++) y[i] = x[i];"      /* 0.2 */

static void loops_count_their_iterations(void **state)
{
    (void)state;
    CHECK(220, MAP "{ " TWICE " }", 1000, 0);
    CHECK(0, MAP "{ " TWICE " }", 0, 0);
    CHECK(0, MAP "{ " TWICE " }", -5, 0);
    CHECK(10 * 20 * 0.2,
          "void f(int m, int n, const float x[m][n], float y[m][n])"
          "{ for (int i = 0; i < m; i++) for (int j = 0; j < n; j++) y[i][j] = x[i][j]; }",
          10, 20);
}

static void of_branches_the_one_that_is_taken_counts(void **state)
{
    (void)state;
    CHECK(220, MAP "{ if (n > m) { " TWICE " } else " COPY " }", 1000, 7);
    CHECK(200, MAP "{ if (n > m) { " TWICE " } else " COPY " }", 1000, 2000);
    CHECK(0, MAP "{ if (n > m) " TWICE " }", 1000, 2000);
    CHECK(210, MAP "{ if (x[0] > 0) { " TWICE " } else " COPY " }", 1000, 0);
    CHECK(110, MAP "{ if (x[0] > 0) " TWICE " }", 1000, 0);
}

/* 0.01 for each multiplication, of k x k x k. */
#define PRODUCT \
    "for (int i = 0; i < k; i++) for (int j = 0; j < k; j++)" \
    "{ float s = 0; for (int l = 0; l < k; l++) s += x[i][l] * x[l][j]; y[i][j] = s; }"
#define SQUARE "void f(int n, int m, float x[n][n], float y[n][n]) "

static void products_count_their_multiplications(void **state)
{
    (void)state;
    CHECK(0.01 * 10 * 20 * 30,
          "void f(int M, int N, int K, const float a[M][K], const float b[K][N], float c[M][N])"
          "{ for (int i = 0; i < M; i++) for (int j = 0; j < N; j++)"
          "{ float s = 0; for (int k = 0; k < K; k++) s += a[i][k] * b[k][j]; c[i][j] = s; } }",
          10, 20, 30);
    CHECK(0.01 * 1e6, SQUARE "{ int k = n; " PRODUCT " }", 100, 0);
}

static void scalars_of_the_body_are_followed(void **state)
{
    (void)state;
    CHECK(0.01 * 8e3, SQUARE "{ int k = n; if (n > m) k = m; " PRODUCT " }", 100, 20);
    CHECK(0.01 * 1e6, SQUARE "{ int k = n; if (n > m) k = m; " PRODUCT " }", 100, 200);
    CHECK(0.01 * 1e6, SQUARE "{ int k = n; if (n > m) k = m; else k = n; " PRODUCT " }", 100, 200);
}

static void what_is_repeated_counts_so_often(void **state)
{
    (void)state;
    static const char spec[] = SQUARE "{ const int k = n; for (int t = 0; t < m; t++) { " PRODUCT
                                      " for (int i = 0; i < n; i++) for (int j = 0; j < n; j++) x[i][j] = y[i][j]; } }";
    CHECK(3 * (0.01 * 1e6 + 0.2 * 1e4), spec, 100, 3);
    CHECK(0, spec, 100, 0);
}

/* Nests of a wave, for all its steps: of the first, two loads, an addition, two of subscripts and a store. */
static void waves_count_their_steps(void **state)
{
    (void)state;
    static const char spec[] = "void f(int T, int n, float x[n][n], float y[n][n]) { for (int t = 0; t < T; t++) {"
                               "for (int i = 1; i < n - 1; i++) for (int j = 0; j < n; j++) y[i][j] = x[i - 1][j] + x[i + 1][j];"
                               "for (int i = 1; i < n - 1; i++) for (int j = 0; j < n; j++) x[i][j] = y[i][j]; } }";
    CHECK(3 * 100 * 102 * (0.36 + 0.2), spec, 3, 102);
    CHECK(0, spec, 0, 102);
}

/* As its stages say: multiplications, then 0.1 a row, 0.24 for a maximum (two loads, a comparison, a
 * choice), 0.22 for a difference and its store. */
static void chains_count_their_stages(void **state)
{
    (void)state;
    CHECK(0.01 * 10 * 20 * 30 + 10 * (0.1 + 0.24 * 19 + 0.22 * 20),
          "void f(int M, int N, int K, const float a[M][K], const float b[K][N], float c[M][N]) { float p[M][N];"
          "for (int i = 0; i < M; i++) for (int j = 0; j < N; j++)"
          "{ float s = 0; for (int k = 0; k < K; k++) s += a[i][k] * b[k][j]; p[i][j] = s; }"
          "for (int i = 0; i < M; i++) { float most = p[i][0]; for (int j = 1; j < N; j++) most = p[i][j] > most ? p[i][j] : most;"
          "for (int j = 0; j < N; j++) c[i][j] = p[i][j] - most; } }",
          10, 20, 30);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(expressions_have_the_values_of_c),
        cmocka_unit_test(what_is_unknown_makes_unknown_what_hangs_on_it),
        cmocka_unit_test(loops_count_their_iterations),
        cmocka_unit_test(of_branches_the_one_that_is_taken_counts),
        cmocka_unit_test(products_count_their_multiplications),
        cmocka_unit_test(scalars_of_the_body_are_followed),
        cmocka_unit_test(what_is_repeated_counts_so_often),
        cmocka_unit_test(waves_count_their_steps),
        cmocka_unit_test(chains_count_their_stages),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
