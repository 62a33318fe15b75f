/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "ir/wrap.h"
#include "tests/unit/kept.h"

/* A body and the facts about it. `value(i)`: the value stored by the i-th statement of the innermost block. */
typedef struct Body {
    Tree tree;
    Ranges *ranges;
    Node *inner;
} Body;

static Body body_of(const char *text)
{
    Body b = {.tree = tree_new()};
    Func *f = tree_parse(b.tree, "range", text);
    assert_non_null(f);
    b.ranges = ranges_new(b.tree.ir, f->body);
    b.inner = f->body;
    while (b.inner->kind == N_BLOCK && b.inner->kid[b.inner->nkids - 1]->kind == N_FOR)
        b.inner = b.inner->kid[b.inner->nkids - 1]->kid[2];
    return b;
}

static Node *value(const Body *b, int i) { return stmt_value(b->inner->kid[i]); }

static void expect_range(const Body *b, int i, int64_t lo, int64_t hi)
{
    Range r = range_of(b->ranges, value(b, i));
    if (r.lo != lo || r.hi != hi)
        fail_msg("value %d: [%lld, %lld], expected [%lld, %lld]", i, (long long)r.lo, (long long)r.hi, (long long)lo, (long long)hi);
}

static void test_blends(void **state)
{
    (void)state;
    Body b = body_of("void f(int C[100], int n, int m, int k) {\n"
                     "    for (int i = 0; i < 9; i++) {\n"
                     "        C[0] = (n & 255) * (k & 127) + (m & 63) * (127 - (k & 127));\n"
                     "        C[0] = (127 - (k & 127)) * (n & 255) + (k & 127) * -(m & 63);\n"
                     "        C[0] = (n & 255) * (k & 127) + (m & 63) * (126 - (k & 127));\n"
                     "    }\n"
                     "}\n");
    expect_range(&b, 0, 0, 255 * 127);
    expect_range(&b, 1, -63 * 127, 255 * 127);
    expect_range(&b, 2, -63, 255 * 127 + 63 * 126); /* k & 127 may be more than 126 */
}

static void test_arithmetic(void **state)
{
    (void)state;
    Body b = body_of("void f(int C[100], int n) {\n"
                     "    for (int i = 2; i <= 9; i++)\n"
                     "        for (int j = -3; j < 5; j += 2) {\n"
                     "            C[0] = i + j; C[0] = i - j; C[0] = i * j; C[0] = -j; C[0] = i / 2; C[0] = j % 3;\n"
                     "            C[0] = n & 7; C[0] = n % 4; C[0] = i << 3; C[0] = i >> 1; C[0] = ~j;\n"
                     "            C[0] = i | 8; C[0] = n < 3 ? i : j; C[0] = i < j; C[0] = n + 1; C[0] = (char)n;\n"
                     "        }\n"
                     "}\n");
    expect_range(&b, 0, -1, 13);
    expect_range(&b, 1, -2, 12);
    expect_range(&b, 2, -27, 36);
    expect_range(&b, 3, -4, 3);
    expect_range(&b, 4, 1, 4);
    expect_range(&b, 5, -2, 2);
    expect_range(&b, 6, 0, 7);
    expect_range(&b, 7, -3, 3);
    expect_range(&b, 8, 16, 72);
    expect_range(&b, 9, 1, 4);
    expect_range(&b, 10, -5, 2);
    expect_range(&b, 11, 0, 15);
    expect_range(&b, 12, -3, 9);
    expect_range(&b, 13, 0, 1);
    expect_range(&b, 14, INT32_MIN, INT32_MAX); /* it may overflow, so anything */
    expect_range(&b, 15, -128, 127);
    arena_free(b.tree.arena);
}

static void test_numbers(void **state)
{
    static const int64_t expected[] = {2, -2, 8, 14, 6, 4, -2};
    (void)state;
    Body b = body_of(
        "void f(long C[100]) {\n"
        "    for (int i = 2; i <= 9; i++) {\n"
        "        C[0] = 17 % 5; C[0] = -17 % 5; C[0] = 12 & 10; C[0] = 12 | 10; C[0] = 12 ^ 10; C[0] = -4 & 6; C[0] = -4 | 2;\n"
        "        C[0] = ~(unsigned)i;\n"
        "    }\n"
        "}\n");
    for (int i = 0; i < 7; i++)
        expect_range(&b, i, expected[i], expected[i]);
    expect_range(&b, 7, UINT32_MAX - 9, UINT32_MAX - 2);
    arena_free(b.tree.arena);
}

static void test_wide_types(void **state)
{
    (void)state;
    Body b = body_of("void f(long C[100], unsigned long u, long n) {\n"
                     "    for (int i = 0; i < 10; i++) {\n"
                     "        C[0] = (long)(u % 1000ul) * 3; C[0] = n * 2; C[0] = (u * u) > 1ul; C[0] = "
                     "(long)i * 5000000000l;\n"
                     "    }\n"
                     "}\n");
    expect_range(&b, 0, 0, 2997);
    expect_range(&b, 1, INT64_MIN, INT64_MAX);
    assert_true(expr_flags(b.ranges, value(&b, 1)) & EXPR_OVERFLOWS);
    assert_int_equal(expr_flags(b.ranges, value(&b, 2)), 0);
    expect_range(&b, 3, 0, 45000000000);
    arena_free(b.tree.arena);
}

static void test_variables(void **state)
{
    (void)state;
    Body b = body_of("void f(int C[100], int n) {\n"
                     "    int x = 3;\n"
                     "    int y = 1;\n"
                     "    if (n < 3) x = 5;\n"
                     "    for (int i = 0; i < x; i++) {\n"
                     "        int z = i * 2; y += 1; C[0] = x; C[0] = y; C[0] = z; C[0] = i;\n"
                     "    }\n"
                     "}\n");
    expect_range(&b, 2, 3, 5);
    expect_range(&b, 3, INT32_MIN, INT32_MAX);
    expect_range(&b, 4, 0, 8);
    expect_range(&b, 5, 0, 4);
    assert_true(is_let(b.ranges, b.inner->kid[0]->sym));
    assert_false(is_let(b.ranges, b.inner->kid[1]->sym));
    assert_true(is_immutable(b.ranges, value(&b, 5)->sym));
    arena_free(b.tree.arena);
}

static void test_traps(void **state)
{
    (void)state;
    Body b = body_of("void f(int C[100], const int A[50], int n, int m, float x) {\n"
                     "    for (int i = 0; i < 50; i++) {\n"
                     "        C[0] = n / 3; C[0] = n / m; C[0] = n / -1; C[0] = n % (i + 1); C[0] = i / -1;\n"
                     "        C[0] = i << n; C[0] = i << 2; C[0] = A[i]; C[0] = A[i + 1]; C[0] = (int)x; C[0] = n >> i;\n"
                     "    }\n"
                     "}\n");
    static const unsigned expected[] = {0,
                                        EXPR_TRAPS,
                                        EXPR_TRAPS,
                                        0,
                                        0,
                                        EXPR_TRAPS | EXPR_OVERFLOWS,
                                        0,
                                        EXPR_LOADS,
                                        EXPR_LOADS | EXPR_TRAPS,
                                        EXPR_TRAPS | EXPR_FLOAT | EXPR_RAISES,
                                        EXPR_TRAPS};
    for (int i = 0; i < 11; i++)
        assert_int_equal(expr_flags(b.ranges, value(&b, i)), expected[i]);
    arena_free(b.tree.arena);
}

static void test_loops(void **state)
{
    (void)state;
    static const struct {
        const char *header;
        bool runs;
        int64_t lo, hi;
    } loops[] = {
        {"for (int i = 0; i < 5; i++)", true, 0, 4},
        {"for (int i = 7; i >= 3; i -= 2)", true, 3, 7},
        {"for (int i = 0; i < n; i++)", false, 0, INT32_MAX - 1},
        {"for (int i = n; i > 0; i--)", false, 1, INT32_MAX},
        {"for (int i = 5; i < 5; i++)", false, 5, 5},
        {"for (int i = 0; i != 4; i++)", true, 0, 3},
        {"for (int i = 4; i != n; i++)", false, INT32_MIN, INT32_MAX},
        {"for (unsigned char i = 0; i < 250; i += 10)", true, 0, 255}, /* the last step wraps */
        {"for (unsigned i = 9; i > 3; i--)", true, 4, 9},
        {"for (int i = n & 3; i < 10; i++)", true, 0, 9},
    };
    for (size_t i = 0; i < sizeof loops / sizeof *loops; i++) {
        Tree t = tree_new();
        Func *f = tree_parse(t, "loop",
                             arena_printf(t.arena, "void f(int C[9], int n) {\n    %s\n        C[0] = i;\n}\n", loops[i].header));
        assert_non_null(f);
        Node *loop = f->body->kid[0];
        Ranges *ranges = ranges_new(t.ir, f->body);
        assert_int_equal(runs_at_least_once(ranges, loop), loops[i].runs);
        Range r = range_of(ranges, mk_var(t.ir, loop->sym));
        if (r.lo != loops[i].lo || r.hi != loops[i].hi)
            fail_msg("%s: [%lld, %lld]", loops[i].header, (long long)r.lo, (long long)r.hi);
        arena_free(t.arena);
    }
}

static void test_wrap(void **state)
{
    (void)state;
    Body b = body_of("void f(int C[100], int n, int m) {\n"
                     "    for (int i = 0; i < 10; i++) {\n"
                     "        C[0] = n * 3 + i * 2; C[0] = i * 2 + 1;\n"
                     "        C[0] = (int)((unsigned)(int)((unsigned)n * 3u) + (unsigned)(i * 2));\n"
                     "    }\n"
                     "}\n");
    assert_ptr_equal(wrap_overflow(b.tree.ir, b.ranges, value(&b, 0)), value(&b, 2));
    assert_ptr_equal(wrap_overflow(b.tree.ir, b.ranges, value(&b, 1)), value(&b, 1));
    assert_int_equal(expr_flags(b.ranges, value(&b, 2)), 0);
    arena_free(b.tree.arena);
}

/* Generator-made index arithmetic does not overflow, so its ranges are only cut off at the type's. */
static void test_index(void **state)
{
    (void)state;
    Tree t = tree_new();
    Sym *x = sym_new(t.ir, S_PARAM, T_INDEX, "x", (Loc){0, 0});
    x->has_range = true, x->lo = 0, x->hi = INT64_MAX;
    Ranges *ranges = ranges_new(t.ir, mk_block(t.ir, 0, NULL, (Loc){0, 0}));
    Node *e = mk_binary(t.ir, N_MUL, mk_var(t.ir, x), mk_int(t.ir, T_INDEX, 8));
    assert_int_equal(expr_flags(ranges, e), 0);
    Range r = range_of(ranges, e);
    assert_true(r.lo == 0 && r.hi == INT64_MAX);
    arena_free(t.arena);
}

/* Variables of loops that are not counted, and variables that change in other ways than by their name. */
static void test_kept(void **state)
{
    (void)state;
    static const struct {
        const char *body; /* C[0] is given the expression in question, last of the loop's body but for step_ */
        int64_t lo, hi;
    } bodies[] = {
        {"for (int s_i = 3; s_i < 90; s_i++) { C[0] = s_i; step_(k); }", 3, 89},
        {"for (int s_i = 3; s_i <= k; s_i++) { C[0] = s_i; step_(2); }", 3, 10},
        {"for (int s_i = 3; s_i < 90; s_i++) { C[0] = s_i; step_(k - 5); }", INT32_MIN, INT32_MAX},
        {"for (int s_i = 3; s_i < 90; s_i++) { C[0] = s_i; step_(s_i); }", INT32_MIN, INT32_MAX},
        {"for (int s_i = 3; s_i < 90; s_i++) { C[0] = s_i; step_(n); }", INT32_MIN, INT32_MAX},
        {"for (int s_i = 3; s_i < n; s_i++) { C[0] = s_i; step_(k); }", 3, INT32_MAX - 1},
        {"for (int s_i = 3; s_i != 90; s_i++) { C[0] = s_i; step_(k); }", INT32_MIN, INT32_MAX},
        {"for (unsigned s_i = 3; s_i < 90; s_i++) { C[0] = (int)s_i; step_((unsigned)k); }", 3, 89},
        {"for (unsigned s_i = 3; s_i < (unsigned)n; s_i++) { C[0] = (int)(s_i / 4u); step_(9u); }", 0, 1073741823},
        {"int c = 3; for (int w_1 = 0; w_1 < (n); w_1++) { C[0] = c; opaque_(c); }", INT32_MIN, INT32_MAX},
        {"int g_c = 3; for (int w_1 = 0; w_1 < (n); w_1++) { C[0] = g_c; }", INT32_MIN, INT32_MAX},
        {"int a_c = 3; for (int w_1 = 0; w_1 < (n); w_1++) { C[0] = a_c; }", INT32_MIN, INT32_MAX},
        {"int c = 3; for (int w_1 = 0; w_1 < (n); w_1++) { C[0] = c; }", 3, 3},
        {"int v_c = 3; for (int w_1 = 0; w_1 < (n); w_1++) { C[0] = v_c; }", INT32_MIN, INT32_MAX},
    };
    for (size_t i = 0; i < sizeof bodies / sizeof *bodies; i++) {
        Tree t = tree_new();
        Func *f = kept_parse(t, "kept",
                             arena_printf(t.arena,
                                          "static void step_(int x) { }\nstatic void opaque_(int x) { }\n"
                                          "void f(int C[9], int n, int k) { %s }\n",
                                          bodies[i].body));
        assert_non_null(f);
        f->params[2]->has_range = true, f->params[2]->lo = 0, f->params[2]->hi = 10;
        const Node *loop = f->body->kid[f->body->nkids - 1];
        Ranges *ranges = ranges_new(t.ir, f->body);
        Range r = range_of(ranges, stmt_value(loop_body(loop)->kid[0]));
        if (r.lo != bodies[i].lo || r.hi != bodies[i].hi)
            fail_msg("%s: [%lld, %lld]", bodies[i].body, (long long)r.lo, (long long)r.hi);
        arena_free(t.arena);
    }
}

static void expect_flags(const char *value, unsigned flags)
{
    Tree t = tree_new();
    const char *text = arena_printf(t.arena,
                                    "static int call(int x) { return x; }\nstatic int pure_(int x) { return x; }\n"
                                    "void f(int C[9], int v_x, int g_x, int n) { C[0] = %s; }\n",
                                    value);
    Func *f = kept_parse(t, "flags", text);
    assert_non_null(f);
    Ranges *ranges = ranges_new(t.ir, f->body);
    if (expr_flags(ranges, stmt_value(f->body->kid[0])) != flags)
        fail_msg("%s: %x", value, expr_flags(ranges, stmt_value(f->body->kid[0])));
    arena_free(t.arena);
}

static void test_flags(void **state)
{
    (void)state;
    expect_flags("call(n)", EXPR_IMPURE | EXPR_CALLS | EXPR_TRAPS);
    expect_flags("pure_(n)", EXPR_TRAPS);
    expect_flags("v_x", EXPR_IMPURE | EXPR_SHARED);
    expect_flags("g_x", EXPR_SHARED);
    expect_flags("n", 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_blends),     cmocka_unit_test(test_arithmetic), cmocka_unit_test(test_numbers),
        cmocka_unit_test(test_wide_types), cmocka_unit_test(test_variables),  cmocka_unit_test(test_traps),
        cmocka_unit_test(test_loops),      cmocka_unit_test(test_wrap),       cmocka_unit_test(test_index),
        cmocka_unit_test(test_kept),       cmocka_unit_test(test_flags),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
