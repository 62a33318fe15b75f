/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Classes of calls: where their limits are, and which of some measured configurations each gets. */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "tune/nests/class_choice.h"

static void near(double x, double y) { assert_true(fabs(x - y) < 1e-12); }

static void limits_belong_to_the_smaller_class(void **state)
{
    (void)state;
    assert_int_equal(shape_class_of(0), CLASS_L2);
    assert_int_equal(shape_class_of(1 << 20), CLASS_L2);
    assert_int_equal(shape_class_of((1 << 20) + 1), CLASS_L3);
    assert_int_equal(shape_class_of(1 << 24), CLASS_L3);
    assert_int_equal(shape_class_of((1 << 24) + 1), CLASS_MEMORY);
    assert_int_equal(shape_class_of(INFINITY), CLASS_MEMORY);
    assert_int_equal(shape_class_of(NAN), CLASS_ALL);
}

static void words_name_classes(void **state)
{
    (void)state;
    for (int shape = CLASS_ALL + 1; shape < CLASS_COUNT; shape++)
        assert_int_equal(shape_class_named(shape_classes[shape].word, shape == CLASS_MEMORY ? 6 : 2), shape);
    assert_int_equal(shape_class_named("l2 ", 3), CLASS_ALL);
    assert_int_equal(shape_class_named("l", 1), CLASS_ALL);
    assert_int_equal(shape_class_named("", 0), CLASS_ALL);
}

/* Two shapes in L2, one in memory. */
static const ShapeClass classes[] = {CLASS_L2, CLASS_L2, CLASS_MEMORY};
static const ClassShapes three = {classes, 3};

static void each_class_has_its_best(void **state)
{
    (void)state;
    static const double a[] = {2, 2, 0.5}, b[] = {1, 1, 2}, c[] = {1.5, 1.5, 1.5}, broken[] = {9, 0, 9};
    const double *const all[] = {a, b, c, broken};
    assert_int_equal(class_best(&three, all, 4, CLASS_ALL), 2);
    assert_int_equal(class_best(&three, all, 4, CLASS_L2), 0);
    assert_int_equal(class_best(&three, all, 3, CLASS_MEMORY), 1);
    assert_int_equal(class_best(&three, all, 4, CLASS_L3), -1); /* nothing is known of it */
    near(class_speed(&three, a, CLASS_ALL), cbrt(2));
    near(class_speed(&three, a, CLASS_MEMORY), 0.5);
    near(class_gain(&three, c, a, CLASS_L2), 2 / 1.5);
    near(class_gain(&three, broken, a, CLASS_L2), 0);
}

static void of_those_that_are_alike_the_first_is_taken(void **state)
{
    (void)state;
    static const double a[] = {1, 1, 1}, b[] = {1, 1, 2};
    const double *const all[] = {a, b};
    assert_int_equal(class_best(&three, all, 2, CLASS_L2), 0);
}

static void classes_need_shapes_of_two(void **state)
{
    (void)state;
    assert_true(has_classes(&three));
    assert_false(has_classes(&(ClassShapes){classes, 2}));
    assert_false(has_classes(&(ClassShapes){(const ShapeClass[]){CLASS_L2, CLASS_ALL}, 2}));
    assert_false(has_classes(&(ClassShapes){classes, 0}));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(limits_belong_to_the_smaller_class),
        cmocka_unit_test(words_name_classes),
        cmocka_unit_test(each_class_has_its_best),
        cmocka_unit_test(of_those_that_are_alike_the_first_is_taken),
        cmocka_unit_test(classes_need_shapes_of_two),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
