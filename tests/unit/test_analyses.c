/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Trip counts, affine bounds and ranges of integers, each of which is asked in one place: cases that several places once answered each in its
 * own way. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "depend/loop_range.h"
#include "depend/parallel.h"
#include "ir/range.h"
#include "tests/unit/tree.h"

/* The loops of a body, outermost first, each of which is all that is in the one around. */
typedef struct Loops {
    Tree tree;
    Func *func;
    Node *loop[8], *inside;
    int n;
} Loops;

static Loops parse(const char *body)
{
    Loops l = {.tree = tree_new()};
    l.func = tree_parse(
        l.tree, "f",
        arena_printf(l.tree.arena, "void f(int n, unsigned u, const int x[n], const unsigned char c[n], int y[n])\n{ %s }\n", body));
    assert_non_null(l.func);
    Node *at = l.func->body;
    for (;;) {
        while (at->kind == N_BLOCK && at->nkids == 1)
            at = at->kid[0];
        if (at->kind != N_FOR)
            break;
        l.loop[l.n++] = at;
        at = at->kid[2];
    }
    l.inside = at;
    return l;
}

/* ---------------------------------------------------------------- trip counts */

static void test_counting(void **state)
{
    (void)state;
    static const struct {
        const char *head;
        bool counts;
    } cases[] = {
        {"int i = 0; i < n; i++", true},
        {"int i = n; i > 0; i -= 3", true},
        {"int i = n; i >= 0; i--", true},
        {"unsigned i = u; i > 0; i--", true},
        {"unsigned i = u; i >= 1; i--", false}, /* 0 is not the end if it is written so */
        {"int i = n; i != 0; i--", true},
        {"int i = 0; i != n; i += 2", false},
        {"unsigned i = 0; i != u; i++", true},
        {"unsigned i = u; i != 0; i--", true},
        {"unsigned i = 1; i != u; i++", false},
        {"signed char i = 5; i != 3; i++", false},
        {"signed char i = 0; i != n; i++", false}, /* n may be -1 */
        {"signed char i = 3; i != 67; i++", true},
        {"short i = 7; i != 1; i--", true},
        {"short i = 1; i != 7; i--", false},
        {"unsigned char i = 0; i != n; i++", true},
        {"unsigned char i = 2; i != n; i++", false},
        {"unsigned char i = 2; i != 9; i++", true},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        Tree t = tree_new();
        Loops l = parse(arena_printf(t.arena, "for (%s) y[0] = 1;", cases[i].head));
        Bounds b;
        assert_true(for_bounds(l.loop[0], &b));
        if (bounds_count(&b) != cases[i].counts)
            fail_msg("for (%s) %s", cases[i].head, cases[i].counts ? "counts" : "does not count");
        assert_int_equal(trip_count(l.tree.ir, l.loop[0]) != NULL, cases[i].counts);
        assert_int_equal(range_of_loop(l.tree.ir, l.loop[0]).least != NULL, cases[i].counts);
        arena_free(l.tree.arena);
        arena_free(t.arena);
    }
}

static void test_steps(void **state)
{
    (void)state;
    static const struct {
        const char *head;
        double lo, hi, steps;
    } cases[] = {
        {"int i = 0; i < n; i++", 0, 7, 7},    {"int i = 0; i <= n; i++", 0, 7, 8}, {"int i = 0; i < n; i += 3", 0, 7, 3},
        {"int i = 0; i < n; i += 3", 0, 0, 0}, {"int i = 9; i < n; i++", 9, 7, 0},  {"int i = n; i >= 0; i -= 2", 7, 0, 4},
        {"int i = n; i > 1; i -= 2", 7, 1, 3}, {"int i = n; i != 0; i--", 7, 0, 7},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        Tree t = tree_new();
        Loops l = parse(arena_printf(t.arena, "for (%s) y[0] = 1;", cases[i].head));
        Bounds b;
        assert_true(for_bounds(l.loop[0], &b));
        if (bounds_steps(&b, cases[i].lo, cases[i].hi) != cases[i].steps)
            fail_msg("for (%s): %g", cases[i].head, bounds_steps(&b, cases[i].lo, cases[i].hi));
        arena_free(l.tree.arena);
        arena_free(t.arena);
    }
}

static void test_from_zero(void **state)
{
    (void)state;
    Loops l = parse("for (int i = 0; n > i; i++) for (int j = 0; j <= n; j++) for (int k = 1; k < n; k++) y[0] = 1;");
    assert_non_null(counted_from_zero(l.loop[0])); /* the variable may stand on either side */
    assert_null(counted_from_zero(l.loop[1]));
    assert_null(counted_from_zero(l.loop[2]));
    arena_free(l.tree.arena);
}

/* ---------------------------------------------------------------- affine bounds */

enum { UNKNOWN = -1000 };

/* The least and greatest value of what is stored, less `times` * n. */
static void expect_extremes(const char *body, int64_t least, int64_t most, int64_t times)
{
    Loops l = parse(body);
    Ir *ir = l.tree.ir;
    LoopRange ranges[8];
    for (int i = 0; i < l.n; i++)
        ranges[i] = range_of_loop(ir, l.loop[i]);
    for (int i = 0; i < 2; i++) {
        Poly *p = extreme_over(ir, l.func, poly_of(ir, stmt_value(l.inside)), ranges, l.n, i);
        Poly *of_n = poly_mul(ir, poly_int(ir, i ? times : 0), poly_of(ir, mk_var(ir, l.func->params[0])));
        int64_t found = UNKNOWN;
        assert_true(!p || poly_const(poly_sub(ir, p, of_n), &found));
        if (found != (i ? most : least))
            fail_msg("%s: %s is %lld", body, i ? "most" : "least", (long long)found);
    }
    arena_free(l.tree.arena);
}

static void test_extremes(void **state)
{
    (void)state;
    expect_extremes("for (int i = 0; i < 10; i++) y[0] = 3 * i + 1;", 1, 28, 0);
    expect_extremes("for (int i = 9; i >= 0; i--) y[0] = 3 * i + 1;", 1, 28, 0);
    expect_extremes("for (int i = 10; i != 0; i--) y[0] = 2 - i;", -8, 1, 0);
    expect_extremes("for (int i = 0; i < 10; i += 4) y[0] = i;", 0, 9, 0); /* not reached, and no less */
    /* Ends that depend on loops around. */
    expect_extremes("for (int i = 0; i < 10; i++) for (int j = i; j <= 2 * i; j++) y[0] = j - i;", 0, 9, 0);
    expect_extremes("for (int i = 0; i < 10; i++) for (int j = 0; j < i; j++) y[0] = 4 * i - j;", 1, 36, 0);
    expect_extremes("for (int i = 0; i < 10; i++) for (int j = 0; j < 5; j++) y[0] = i * j;", UNKNOWN, UNKNOWN, 0);
    expect_extremes("for (signed char i = 5; i != 3; i++) y[0] = i;", UNKNOWN, UNKNOWN, 0);
    /* An extent is never negative. */
    expect_extremes("for (int i = 0; i < 10; i++) y[0] = n * i + 7;", 7, 7, 9);
    expect_extremes("for (int i = 0; i < 10; i++) y[0] = (n - 9) * i;", UNKNOWN, UNKNOWN, 0);
}

/* ---------------------------------------------------------------- ranges */

static void expect_range(const char *value, int64_t lo, int64_t hi)
{
    Tree t = tree_new();
    Loops l = parse(arena_printf(t.arena, "for (int i = 0; i < n; i++) y[i] = %s;", value));
    const Range by_types = range_by_types(stmt_value(l.inside)), all = range_of(ranges_new(l.tree.ir, l.func->body), stmt_value(l.inside));
    if (by_types.lo != lo || by_types.hi != hi)
        fail_msg("%s: [%lld, %lld]", value, (long long)by_types.lo, (long long)by_types.hi);
    assert_true(range_within(all, by_types)); /* who knows what is written knows no less */
    arena_free(l.tree.arena);
    arena_free(t.arena);
}

static void test_ranges(void **state)
{
    (void)state;
    expect_range("c[i]", 0, 255);
    expect_range("c[i] - 128", -128, 127);
    /* Sums that wrap around, as a compiler may have written them, and come back. */
    expect_range("(int)((unsigned)c[i] - 128u)", -128, 127);
    expect_range("(int)((unsigned)c[i] * (unsigned)c[i])", 0, 65025);
    expect_range("x[i] < c[i]", 0, 1);
    expect_range("x[i] / 4", INT32_MIN / 4, INT32_MAX / 4);
    expect_range("x[i] % 5", -4, 4);
    expect_range("c[i] % 16", 0, 15);
    expect_range("c[i] >> n", 0, 255); /* other counts are undefined */
    expect_range("c[i] >> 4", 0, 15);
    expect_range("c[i] << 2", 0, 1020);
    expect_range("x[i] & 15", 0, 15);
    expect_range("~c[i]", -256, -1);
    expect_range("i", INT32_MIN, INT32_MAX); /* what the loop gives it is not asked */
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_counting), cmocka_unit_test(test_steps),  cmocka_unit_test(test_from_zero),
        cmocka_unit_test(test_extremes), cmocka_unit_test(test_ranges),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
