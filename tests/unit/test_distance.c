/* SPDX-License-Identifier: GPL-3.0-or-later */
/* How far loops stay apart. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

#include "depend/distance.h"
#include "fuse/inline_helpers.h"
#include "ir/simplify.h"
#include "tests/unit/tree.h"

enum { TOO_FAR = -1 };

/* The first of the body's loops and the last, which may be the same. */
static void expect(const char *params, const char *body, int64_t distance)
{
    Tree t = tree_new();
    Carried why;
    int64_t d;
    Func *func = tree_parse(t, "test.spec", arena_printf(t.arena, "void f(int n, int m, %s)\n{\n%s\n}\n", params, body));
    assert_non_null(func);
    inline_helpers(t.ir, func);
    func->body = simplify(t.ir, func->body);
    Accesses in = find_accesses(t.ir, func->body);
    const Node *first = func->body->kid[0], *last = func->body->kid[func->body->nkids - 1];
    assert_true(accesses_are_within(&in, func->body->kid, func->body->nkids));
    if (!loop_distance(&in, first, last, &d, &why))
        d = TOO_FAR;
    if (d != distance)
        fail_msg("%s: %lld instead of %lld", body, (long long)d, (long long)distance);
    arena_free(t.arena);
}

#define X "float x[9 * n][m], float y[9 * n][m], float z[9 * n][m]"
#define I "for (int i = 9; i < n - 9; i++) for (int j = 0; j < m; j++) "
#define K "for (int k = 8; k < n; k++) for (int j = 0; j < m; j++) "

static void subscripts_and_a_constant(void **state)
{
    (void)state;
    expect(X, I "y[i][j] = x[i][j]; " K "z[k][j] = y[k][j];", 0);
    expect(X, I "y[i][j] = x[i][j]; " K "z[k][j] = y[k - 3][j];", 0);
    expect(X, I "y[i][j] = x[i][j]; " K "z[k][j] = y[k + 2][j] + y[k - 1][j];", 2);
    expect(X, I "y[i][j] = x[i - 4][j] + x[i + 1][j]; " K "x[k][j] = z[k][j];", 4);
    expect(X, I "y[i + 1][j] = x[i][j]; " K "y[k + 4][j] = z[k][j];", 3);
    expect(X, I "y[i][j] = x[i][j]; " K "z[k][j] = y[k + 8][j];", 8);
    expect(X, I "y[i][j] = x[i][j]; " K "z[k][j] = y[k + 9][j];", TOO_FAR);
}

static void what_never_meets(void **state)
{
    (void)state;
    expect(X, I "y[i][j] = x[i][j]; " K "z[k][j] = x[k + 7][j];", 0);
    expect("float x[n][2], float y[n][2], float z[n]",
           "for (int i = 0; i < n; i++) y[i][0] = x[i][0]; for (int k = 0; k < n; k++) z[k] = y[n - 1 - k][1];", 0);
}

static void one_loop_and_itself(void **state)
{
    (void)state;
    expect(X, I "y[i][j] = x[i - 1][j] + x[i + 1][j];", 0);
    expect(X, I "x[i][j] = x[i - 1][j] + x[i + 1][j];", 1);
    expect(X, I "x[2 * i][j] = x[2 * i + 1][j];", 0);
}

static void found_by_isl(void **state)
{
    (void)state;
    expect(X, I "y[i][j] = x[i][j]; " K "z[k][j] = y[n - 1 - k][j];", TOO_FAR);
    expect(X, "for (int i = 0; i < 6; i++) y[i][0] = x[i][0]; for (int k = 0; k < 6; k++) z[k][0] = y[5 - k][0];", 5);
    expect(X, "for (int i = 0; i < n; i++) for (int j = i - 2; j < i; j++) y[j][0] = x[i][0]; " K "z[k][j] = y[k][0];", 2);
    expect(X, "for (int i = 0; i < 3; i++) y[2][i] = x[i][0]; " K "z[k][j] = y[2][j];", 0);
}

static void what_is_not_known(void **state)
{
    (void)state;
    expect("float y[n], float z[n], const int at[n]", "for (int i = 0; i < n; i++) y[i] = 1; for (int k = 0; k < n; k++) z[k] = y[at[k]];",
           TOO_FAR);
    expect(X, "for (int i = 0; i < n; i++) y[i][0] = x[0][0]; for (int k = 0; k < n; k++) x[0][0] = z[k][0];", TOO_FAR);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(subscripts_and_a_constant), cmocka_unit_test(what_never_meets),
        cmocka_unit_test(one_loop_and_itself),       cmocka_unit_test(found_by_isl),
        cmocka_unit_test(what_is_not_known),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
