/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The means of a self-check (templates/engine/check): 16-bit floats, guard pages and faults, what difference of results is allowed,
 * what is drawn. */
#define _DEFAULT_SOURCE
#include <setjmp.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/resource.h>

#include <cmocka.h>

#pragma GCC diagnostic ignored "-Wunused-function"
#include "templates/engine/check/compare.h"
#include "templates/engine/check/draw_tuple.h"

static void test_elements_keep_what_they_can_hold(void **state)
{
    (void)state;
    for (uint32_t bits = 0; bits < 0x10000; bits++) {
        const float half = mik_half_value((uint16_t)bits), wide = mik_bf16_value((uint16_t)bits);
        if (half == half && fabsf(half) < INFINITY && half != 0)
            assert_int_equal(mik_half_bits(half), bits);
        if (wide == wide)
            assert_int_equal(mik_bf16_bits(wide), bits);
    }
    assert_true(mik_half_value(0x3c00) == 1 && mik_half_value(0x8001) == -0x1p-24F && mik_half_value(0x7c00) == INFINITY);
    for (int e = E_HALF; e <= E_BOOL; e++) {
        long double room[4] = {0};
        mik_put((Element)e, room, 1, 1);
        assert_true(mik_get((Element)e, room, 1) == 1 && mik_get((Element)e, room, 0) == 0 && mik_get((Element)e, room, 2) == 0);
    }
}

static void test_multiples_of_an_eighth_are_drawn(void **state)
{
    (void)state;
    random_state = 1;
    bool seen[16] = {false};
    for (int i = 0; i < 1000; i++) {
        const double x = mik_draw(E_F32, D_EIGHTHS) * 8 + 8;
        assert_true(x >= 0 && x < 16 && x == floor(x));
        seen[(int)x] = true;
    }
    for (int i = 0; i < 16; i++)
        assert_true(seen[i]);
}

static void test_subscripts_rise_and_stay_below_their_limit(void **state)
{
    const Param p = {.name = "index", .kind = P_ARRAY, .elem = E_I32, .rank = 1, .is_index = 1};
    int32_t array[100];
    const int64_t extent[] = {100};
    (void)state;
    mik_fill(&p, array, extent, 100, 7, D_RANDOM);
    assert_int_equal(array[0], 0);
    for (int i = 1; i < 100; i++)
        assert_true(array[i] >= array[i - 1] && array[i] < 7);
}

static void test_allowed_difference_grows_with_sums(void **state)
{
    (void)state;
    assert_true(mik_allowed(E_I32, 100, 100, 1000) == 0);
    const double few = mik_allowed(E_F32, 1, 1, 1), many = mik_allowed(E_F32, 1, 1, 10000);
    assert_true(few >= 0x1p-23 && few < 0x1p-17 && many > 4 * few && many < 0x1p-12);
    assert_true(mik_allowed(E_HALF, 1, 1, 1) >= 0x1p-10 && mik_allowed(E_F64, 1, 1, 1) < 1e-13);
}

/* The operator of these tests: y[n] of x[n][m]; the extents are what their arguments are. */
static int two_extents(const Arg *a, int64_t extent[][MAX_RANK], int64_t *limit)
{
    (void)limit;
    extent[2][0] = a[0].i;
    extent[2][1] = a[1].i;
    extent[3][0] = a[0].i;
    return 1;
}

static const Param params[] = {
    {.name = "n", .kind = P_INT, .elem = E_I32, .role = R_EXTENT},
    {.name = "m", .kind = P_INT, .elem = E_I32, .role = R_EXTENT},
    {.name = "x", .kind = P_ARRAY, .elem = E_F32, .is_const = 1, .unwritten = 1, .read = 1, .rank = 2},
    {.name = "y", .kind = P_ARRAY, .elem = E_F32, .rank = 1},
};

static void reference(const Arg *a)
{
    const float *x = a[2].p;
    float *y = a[3].p;
    for (int64_t i = 0; i < a[0].i; i++) {
        y[i] = 0;
        for (int64_t j = 0; j < a[1].i; j++)
            y[i] += x[i * a[1].i + j];
    }
}

static const Op sums = {.name = "sums", .count = 4, .params = params, .extents = two_extents, .reference = reference};

static void test_tuples_are_drawn_that_fit(void **state)
{
    int empty = 0, large = 0;
    (void)state;
    random_state = 3;
    for (int round = 0; round < 400; round++) {
        Case c = {.op = &sums};
        assert_true(mik_draw_tuple(&c, round, round % 3 == 0 ? ODD : round % 3 == 1 ? ALIGNED : TILES));
        assert_true(c.args[0].i >= 0 && c.args[1].i >= 0 && c.count[2] == c.args[0].i * c.args[1].i && c.count[2] <= MAX_ELEMENTS);
        empty += c.count[2] == 0;
        large += c.count[2] > 10000;
        if (round % 3 == 1)
            assert_int_equal(c.args[0].i % 16, 0);
    }
    assert_true(empty > 0 && large > 0);
}

static Case prepared(void)
{
    Case c = {.op = &sums};
    c.args[0].i = 5;
    c.args[1].i = 7;
    random_state = 5;
    assert_true(mik_measure(&c));
    assert_true(mik_prepare(&c, D_EIGHTHS));
    return c;
}

static void test_what_differs_is_found(void **state)
{
    Case c = prepared();
    Arg args[MAX_PARAMS];
    Buffer buffers[MAX_PARAMS];
    (void)state;
    mik_place(&c, args, buffers, AT_END);
    reference(args);
    assert_int_equal(mik_inspect(&c, "right", AT_END, buffers), 0);
    ((float *)args[3].p)[4] += 0.5F;
    assert_int_equal(mik_compare(&c, "a wrong sum, on purpose", AT_END, 3, buffers[3].data), 1);
    ((float *)args[3].p)[4] -= 0.5F;
    ((float *)(uintptr_t)args[2].p)[0] += 1;
    assert_int_equal(mik_inspect(&c, "a changed operand, on purpose", AT_END, buffers), 1);
    ((float *)(uintptr_t)args[2].p)[0] -= 1;
    buffers[3].data[-1] = 0;
    assert_int_equal(mik_inspect(&c, "a write before the array, on purpose", AT_END, buffers), 1);
    mik_release_all(buffers);
    mik_finish(&c);
}

/* The signal of a write there, 0 for none. */
static int write_to(volatile unsigned char *place)
{
    const int fault = sigsetjmp(fault_return, 1);
    if (fault == 0) {
        guarded = 1;
        *place = 1;
    }
    guarded = 0;
    return fault;
}

static void test_faults_come_back(void **state)
{
    (void)state;
    mik_catch_faults();
    Buffer end = mik_allocate(100, AT_END), begin = mik_allocate(100, AT_BEGIN);
    assert_int_equal(write_to(end.data + 99), 0);
    assert_int_equal(write_to(begin.data), 0);
    assert_string_equal(mik_fault_name(write_to(end.data + 100)), "touches memory outside its arrays");
    assert_string_equal(mik_fault_name(write_to(begin.data - 1)), "touches memory outside its arrays");
    mik_release(&end);
    mik_release(&begin);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_elements_keep_what_they_can_hold),
        cmocka_unit_test(test_multiples_of_an_eighth_are_drawn),
        cmocka_unit_test(test_subscripts_rise_and_stay_below_their_limit),
        cmocka_unit_test(test_allowed_difference_grows_with_sums),
        cmocka_unit_test(test_tuples_are_drawn_that_fit),
        cmocka_unit_test(test_what_differs_is_found),
        cmocka_unit_test(test_faults_come_back),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
