/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Functions of <math.h> and truth values: what several passes ask of an expression, each in one place. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "ir/condition.h"
#include "ir/libm.h"
#include "tests/unit/tree.h"

static void test_names(void **state)
{
    (void)state;
    Tree t = tree_new();
    static const struct {
        const char *name;
        bool extreme, quick;
    } cases[] = {{"fmax", true, true},    {"fminf", true, true},       {"fmaxl", true, true},  {"fma", false, true},
                 {"fmaf", false, true},   {"nearbyintf", false, true}, {"sqrt", false, false}, {"fmod", false, false},
                 {"floorl", false, true}, {"exp2f", false, false},     {"abs", false, true},   {"labs", false, false},
                 {"fabsf", false, true},  {"logb", false, false}};
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        const Sym *f = libm_function(t.ir, cases[i].name, (Loc){0, 0});
        assert_string_equal(f->name, cases[i].name);
        if (is_extreme(f) != cases[i].extreme || is_quick_function(f) != cases[i].quick)
            fail_msg("%s: extreme %d, quick %d", cases[i].name, is_extreme(f), is_quick_function(f));
    }
    /* exp is neither exp2 nor expf of another function: the rest of a name is one letter of precision, or nothing. */
    assert_true(is_libm(libm_function(t.ir, "expf", (Loc){0, 0}), "exp"));
    assert_false(is_libm(libm_function(t.ir, "exp2", (Loc){0, 0}), "exp"));
    assert_false(is_libm(libm_function(t.ir, "expm1f", (Loc){0, 0}), "exp"));
    arena_free(t.arena);
}

/* A helper is no function of <math.h>, whatever its name. */
static void test_helpers(void **state)
{
    (void)state;
    Tree t = tree_new();
    const Sym *helper = sym_new(t.ir, S_FUNC, T_FLOAT, "fmaxf", (Loc){0, 0});
    assert_false(is_libm(helper, "fmax"));
    assert_false(is_extreme(helper));
    assert_false(is_quick_function(helper));
    arena_free(t.arena);
}

static void test_arguments(void **state)
{
    (void)state;
    Tree t = tree_new();
    const Sym *f = libm_function(t.ir, "ldexpf", (Loc){0, 0});
    assert_int_equal(f->type, T_FLOAT);
    assert_int_equal(libm_argument(f, 0), T_FLOAT);
    assert_int_equal(libm_argument(f, 1), T_INT);
    assert_int_equal(libm_argument(libm_function(t.ir, "lrint", (Loc){0, 0}), 0), T_DOUBLE);
    arena_free(t.arena);
}

/* What one place knew of truth and another did not: a conversion to bool of a number, constants, conversions around. */
static void test_truth(void **state)
{
    (void)state;
    Tree t = tree_new();
    Ir *ir = t.ir;
    Node *x = mk_var(ir, sym_new(ir, S_PARAM, T_INT, "x", (Loc){0, 0})), *less = mk_binary(ir, N_LT, x, mk_int(ir, T_INT, 8));
    Node *flag = mk_var(ir, sym_new(ir, S_PARAM, T_BOOL, "flag", (Loc){0, 0}));
    assert_true(is_truth(less));
    assert_true(is_truth(mk_cast(ir, T_UCHAR, less)));
    assert_true(is_truth(mk_cast(ir, T_INT, mk_cast(ir, T_BOOL, x))));
    assert_true(is_truth(mk_cast(ir, T_BOOL, x)));
    assert_true(is_truth(flag));
    assert_true(is_truth(mk_cast(ir, T_LONG, flag)));
    assert_true(is_truth(mk_int(ir, T_INT, 1)));
    assert_true(is_truth(mk_int(ir, T_UINT, 0)));
    assert_false(is_truth(mk_int(ir, T_INT, 2)));
    assert_false(is_truth(x));
    assert_false(is_truth(mk_cast(ir, T_UCHAR, x)));
    assert_false(is_truth(mk_cast(ir, T_FLOAT, less))); /* 1.0f */
    arena_free(t.arena);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_names),
        cmocka_unit_test(test_helpers),
        cmocka_unit_test(test_arguments),
        cmocka_unit_test(test_truth),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
