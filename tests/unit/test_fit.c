/* SPDX-License-Identifier: GPL-3.0-or-later */
/* From measurements to g(t): exact data comes back exactly, noise is taken away, the result never decreases. */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "tune/engine.h"
#include "tune/fit.h"

static void near(double x, double y, double tolerance)
{
    if (!(fabs(x - y) <= tolerance * fabs(y)))
        fail_msg("%g is not near %g", x, y);
}

static void outliers_are_dropped(void **state)
{
    (void)state;
    const double one[] = {7}, two[] = {9, 7}, five[] = {10.2, 99, 10, 10.1, 1e9}, six[] = {1, 1, 2, 50, 60, 70};
    near(fit_robust(one, 1), 7, 0);
    near(fit_robust(two, 2), 8, 0);
    near(fit_robust(five, 5), 10.05, 1e-12);
    near(fit_robust(six, 6), 1, 0);
    near(fit_least(one, 1), 7, 0);
    near(fit_least(five, 5), 10, 0);
}

static void repeats_agree(void **state)
{
    (void)state;
    const double times[] = {100, 250, 103, 100.5};
    assert_false(fit_agrees(times, 1, 0.5));
    assert_false(fit_agrees(times, 3, 0.01));
    assert_true(fit_agrees(times, 4, 0.01));
    assert_true(fit_agrees(times, 3, 0.05));
}

static void made_monotone(void **state)
{
    (void)state;
    double ordered[] = {1, 2, 2, 5}, swapped[] = {1, 3, 2, 5}, falling[] = {4, 3, 2, 1}, late[] = {5, 6, 1, 7};
    fit_monotone(ordered, 4);
    near(ordered[0], 1, 1e-12), near(ordered[1], 2, 1e-12), near(ordered[2], 2, 1e-12), near(ordered[3], 5, 1e-12);
    fit_monotone(swapped, 4);
    near(swapped[1], swapped[2], 1e-12);
    assert_true(swapped[1] > 2 && swapped[1] < 3 && swapped[0] == 1 && swapped[3] == 5);
    fit_monotone(falling, 4);
    for (int i = 1; i < 4; i++)
        near(falling[i], falling[0], 1e-12);
    fit_monotone(late, 4);
    for (int i = 1; i < 4; i++)
        assert_true(late[i] >= late[i - 1] * (1 - 1e-12));
    near(late[0], late[2], 1e-12); /* a value too small pulls down those before it */
}

/* t = 1, about 1.4, 2 ...: rounded, without repeats. */
static int points(double *t, int most)
{
    int n = 0;
    for (double x = 1; x < most * 1.3; x *= sqrt(2)) {
        double now = floor((x < most ? x : most) + 0.5);
        if (n == 0 || now > t[n - 1])
            t[n++] = now;
    }
    return n;
}

static void linear_functions_come_back(void **state)
{
    (void)state;
    double t[FIT_POINTS], y[FIT_POINTS], g[G_KNOTS];
    int n = points(t, 5120);
    for (int i = 0; i < n; i++)
        y[i] = 5 + 0.25 * t[i];
    fit_g(t, y, n, g);
    for (int k = 0; k < G_KNOTS; k++)
        near(g[k], 5 + 0.25 * g_knots[k], 1e-9);
}

static void piecewise_linear_functions_come_back(void **state)
{
    (void)state;
    const double truth[G_KNOTS] = {3, 3, 9, 40, 90, 500, 1400, 5000};
    double t[FIT_POINTS], y[FIT_POINTS], g[G_KNOTS];
    int n = points(t, 5120);
    for (int i = 0; i < n; i++)
        y[i] = g_at(truth, t[i]);
    fit_g(t, y, n, g);
    for (int k = 0; k < G_KNOTS; k++)
        near(g[k], truth[k], 1e-9);
}

static void few_steps_are_continued(void **state)
{
    (void)state;
    double t[FIT_POINTS], y[FIT_POINTS], g[G_KNOTS];
    for (int most = 1; most <= 300; most = 2 * most + 1) {
        int n = points(t, most);
        for (int i = 0; i < n; i++)
            y[i] = 2 * t[i];
        fit_g(t, y, n, g);
        for (int k = 0; k < G_KNOTS; k++)
            near(g[k], 2.0 * g_knots[k], 1e-9);
    }
}

static void noise_does_not_make_it_decrease(void **state)
{
    (void)state;
    double t[FIT_POINTS], y[FIT_POINTS], g[G_KNOTS];
    int n = points(t, 5120);
    srand(1);
    for (int trial = 0; trial < 200; trial++) {
        for (int i = 0; i < n; i++)
            y[i] = (10 + 0.1 * t[i]) * (1 + 0.3 * rand() / RAND_MAX);
        fit_monotone(y, n);
        fit_g(t, y, n, g);
        for (int k = 0; k < G_KNOTS; k++) {
            assert_true(g[k] > 0 && (k == 0 || g[k] >= g[k - 1]));
            assert_true(g[k] > 0.7 * (10 + 0.1 * g_knots[k]) && g[k] < 1.6 * (10 + 0.1 * g_knots[k]));
        }
    }
}

static void terms_come_back_and_never_below_zero(void **state)
{
    (void)state;
    double rows[12][FIT_TERMS], y[12], x[FIT_TERMS];
    for (int i = 0; i < 12; i++) {
        rows[i][0] = 1 << i, rows[i][1] = 1 + i % 3, rows[i][2] = 1;
        y[i] = 0.5 * rows[i][0] + 2 * rows[i][1] + 3;
    }
    fit_terms(rows, y, 12, x);
    near(x[0], 0.5, 1e-9), near(x[1], 2, 1e-9), near(x[2], 3, 1e-9);
    for (int i = 0; i < 12; i++)
        y[i] = 0.5 * rows[i][0] - 0.1 * rows[i][1] + 3;
    fit_terms(rows, y, 12, x);
    near(x[0], 0.5, 0.1);
    assert_true(x[1] == 0 && x[2] > 2);
}

/* Values in columns; the one to stay with unless another is a hundredth faster, and nowhere much slower. */
static void numbers_of_the_engine_are_chosen(void **state)
{
    (void)state;
    enum { SHAPES = 2, VALUES = 3 };
    static const struct {
        double times[SHAPES * VALUES];
        int usual, chosen;
    } cases[] = {
        {{100, 100, 100, 50, 50, 50}, 0, 0}, {{100, 99.5, 99.2, 50, 49.7, 49.6}, 0, 0},   /* less than a hundredth */
        {{100, 98, 97, 50, 49, 49}, 0, 2},           /* the faster of two that are faster */
        {{100, 90, 98, 50, 52, 49}, 0, 2},           /* the middle one takes 4 % more somewhere */
        {{100, 90, 98, 50, 52, 49}, 1, 1},           /* beside which the others lose */
        {{100, 1e9, 97, 50, 40, 49}, 2, 2},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++)
        assert_int_equal(engine_choose(cases[i].times, SHAPES, 0, VALUES, cases[i].usual), cases[i].chosen);
    /* The second shape only guards: what is gained there does not count, what is lost does. */
    assert_int_equal(engine_choose((double[]){100, 98, 50, 50.5}, 1, 1, 2, 0), 1);
    assert_int_equal(engine_choose((double[]){100, 98, 50, 51.5}, 1, 1, 2, 0), 0);
    assert_int_equal(engine_choose((double[]){100, 100, 50, 40}, 1, 1, 2, 0), 0);
}

/* Every number's values are ones that a profile may have, ascending, and some that is not usual; the usual one is among them. */
static void values_of_the_engine_are_valid(void **state)
{
    (void)state;
    for (int i = 0; i < ENGINE_KNOBS; i++) {
        const EngineKnobInfo *x = &engine_knob_info[i];
        int others = 0, has_usual = x->usual == 0;
        for (int v = 0; v < ENGINE_VALUES && x->values[v] >= 0; v++) {
            assert_in_range(x->values[v], x->least, x->most);
            assert_true(v == 0 || x->values[v] > x->values[v - 1]);
            others += x->values[v] != x->usual;
            has_usual |= x->values[v] == x->usual;
        }
        assert_true(others > 0 && has_usual);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(outliers_are_dropped),
        cmocka_unit_test(repeats_agree),
        cmocka_unit_test(made_monotone),
        cmocka_unit_test(linear_functions_come_back),
        cmocka_unit_test(piecewise_linear_functions_come_back),
        cmocka_unit_test(few_steps_are_continued),
        cmocka_unit_test(noise_does_not_make_it_decrease),
        cmocka_unit_test(terms_come_back_and_never_below_zero),
        cmocka_unit_test(numbers_of_the_engine_are_chosen),
        cmocka_unit_test(values_of_the_engine_are_valid),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
