/* SPDX-License-Identifier: GPL-3.0-or-later */
/* From times of launches to rates of a kernel: exact times give exact rates, noise and strays do little, and what the times do not
 * tell is bounded by what they do. */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>

#include <cmocka.h>

#include "tune/rates.h"

static void near(double x, double y, double tolerance)
{
    if (!(fabs(x - y) <= tolerance * fabs(y)))
        fail_msg("%g is not near %g", x, y);
}

/* Between -1 and 1. */
static double noise(uint32_t *state)
{
    *state = *state * 1664525u + 1013904223u;
    return (double)(*state >> 8) / (1 << 23) - 1;
}

/* What the tuner measures of a kernel of which `resident` fit a multiprocessor: 0 blocks stand for one alone. */
static int measure(const Rates *r, int resident, BlockTime *out)
{
    static const int alone[] = {1, 4, 16, 64, 256, 1024, 2560, 5120}, full[] = {4, 16, 64, 256};
    int n = 0;
    for (size_t i = 0; i < sizeof alone / sizeof *alone; i++)
        out[n++] = (BlockTime){alone[i], 0, r->fixed + alone[i] * r->alone};
    for (int shared = 1; shared <= resident; shared = shared < resident && 2 * shared > resident ? resident : 2 * shared)
        for (size_t i = 0; i < sizeof full / sizeof *full; i++) {
            out[n] = (BlockTime){full[i], shared, 0};
            out[n].time = rates_time(r, &out[n]);
            n++;
        }
    return n;
}

static const Rates some[] = {{2200, 430, 940}, {3000, 900, 900}, {1500, 20, 700}, {0, 5, 5}, {800, 100, 250}};
static const int resident[] = {3, 1, 4, 2, 10};
enum { SOME = 5 };

static void exact_times_give_exact_rates(void **state)
{
    (void)state;
    BlockTime points[RATE_POINTS];
    for (int i = 0; i < SOME; i++) {
        const Rates *x = &some[i], r = fit_rates(points, measure(x, resident[i], points));
        near(r.fixed + 1, x->fixed + 1, 1e-6);
        near(r.alone, x->alone, 1e-6);
        /* Where no number of blocks is bound by the multiprocessor, all that is known is that it bears them. */
        near(r.step, resident[i] * x->step >= x->alone ? x->step : x->alone / resident[i], 1e-6);
    }
}

static void noise_does_little(void **state)
{
    (void)state;
    BlockTime points[RATE_POINTS];
    uint32_t seed = 1;
    for (int i = 0; i < SOME; i++)
        for (int repeat = 0; repeat < 50; repeat++) {
            const int n = measure(&some[i], resident[i], points);
            for (int p = 0; p < n; p++)
                points[p].time *= 1 + 0.02 * noise(&seed);
            const Rates r = fit_rates(points, n);
            const BlockTime many = {200, resident[i], 1}, one = {1000, 0, 1};
            near(rates_time(&r, &many), rates_time(&some[i], &many), 0.03);
            near(rates_time(&r, &one), rates_time(&some[i], &one), 0.03);
            near(r.fixed + 100, some[i].fixed + 100, 0.1);
        }
}

static void strays_are_left_out(void **state)
{
    (void)state;
    BlockTime points[RATE_POINTS];
    const int n = measure(&some[0], resident[0], points);
    points[2].time *= 3;
    points[n - 2].time *= 1.6;
    const Rates r = fit_rates(points, n);
    near(r.fixed, some[0].fixed, 0.02);
    near(r.step, some[0].step, 0.02);
    near(r.alone, some[0].alone, 0.02);
}

static void many_blocks_may_be_slower_than_the_model(void **state)
{
    (void)state;
    /* One block holds a multiprocessor, and alone on the GPU it finds more bandwidth. */
    BlockTime points[RATE_POINTS];
    int n = measure(&(Rates){1000, 500, 500}, 1, points);
    for (int i = 0; i < n; i++)
        if (points[i].shared == 0)
            points[i].time = 1000 + 400 * points[i].steps;
    const Rates r = fit_rates(points, n);
    near(r.step, 500, 1e-3);
    near(r.alone, 500, 1e-3);
    near(r.fixed, 1000, 1e-3);
}

static void few_times_are_enough(void **state)
{
    (void)state;
    const BlockTime one[] = {{1, 0, 700}};
    Rates r = fit_rates(one, 1);
    assert_true(r.fixed >= 0 && r.step > 0 && r.alone >= r.step && isfinite(r.fixed + r.step + r.alone));
    near(rates_time(&r, &one[0]), 700, 1e-3);
    const BlockTime full[] = {{4, 2, 1800}, {16, 2, 4200}};
    r = fit_rates(full, 2);
    near(r.fixed, 1000, 1e-6);
    near(r.step, 100, 1e-6);
    near(r.alone, 100, 1e-6);
    const BlockTime falling[] = {{4, 0, 1800}, {16, 0, 900}, {4, 1, 1800}, {16, 1, 900}};
    r = fit_rates(falling, 4);
    assert_true(r.fixed >= 0 && r.step > 0 && r.alone >= r.step);
}

static void meetings(void **state)
{
    (void)state;
    MeetingTime points[RATE_POINTS];
    double meeting, partial;
    int n = 0;
    for (int parts = 2; parts <= 16; parts *= 2)
        for (int tile = 64; tile <= 256; tile *= 2, n++) {
            points[n].bytes = (2.0 + parts) * tile * 128 * 4;
            points[n].time = 1700 + 0.02 * points[n].bytes;
        }
    fit_meeting(points, n, &meeting, &partial);
    near(meeting, 1700, 1e-6);
    near(partial, 0.02, 1e-6);
    for (int i = 0; i < n; i++)
        points[i].time = 1700 - 1e-4 * points[i].bytes; /* more bytes cannot take less time */
    fit_meeting(points, n, &meeting, &partial);
    assert_true(partial == 0 && meeting > 500 && meeting < 1700);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(exact_times_give_exact_rates), cmocka_unit_test(noise_does_little),
        cmocka_unit_test(strays_are_left_out),          cmocka_unit_test(many_blocks_may_be_slower_than_the_model),
        cmocka_unit_test(few_times_are_enough),         cmocka_unit_test(meetings),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
