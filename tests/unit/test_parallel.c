/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Which loops may run their iterations in any order, and how many iterations there are. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

#include "depend/parallel.h"
#include "fuse/inline_helpers.h"
#include "ir/simplify.h"
#include "gen/front/spec.h"
#include "ir/print.h"
#include "ir/walk.h"

typedef struct Found {
    Ir *ir;
    Text parallel, trips;
} Found;

static bool visit(void *user, Node *n)
{
    Found *f = user;
    if (n->kind != N_FOR)
        return true;
    if (loop_is_parallel(f->ir, n))
        text_printf(&f->parallel, "%s%s", f->parallel.size ? " " : "", n->sym->name);
    Node *trip = trip_count(f->ir, n);
    if (f->trips.size)
        text_puts(&f->trips, "; ");
    if (trip)
        print_node(&f->trips, trip, 0);
    else
        text_puts(&f->trips, "?");
    return true;
}

/* Names of the parallel loops, and trip counts of all loops, outermost first. */
static Found find(Arena *arena, const char *spec)
{
    Found f = {.ir = ir_new(arena, diag_new(arena, "test.spec", spec, strlen(spec), stderr))};
    Unit *unit = spec_parse(f.ir, "test.spec", spec, strlen(spec));
    assert_non_null(unit);
    Func *func = unit->funcs[0];
    inline_helpers(f.ir, func);
    func->body = simplify(f.ir, func->body);
    text_init(&f.parallel, arena);
    text_init(&f.trips, arena);
    walk(&(Walker){.pre = visit, .user = &f}, func->body);
    return f;
}

static void expect(const char *params, const char *body, const char *parallel)
{
    Arena *arena = arena_new();
    Found f = find(arena, arena_printf(arena, "void f(int n, int m, %s)\n{ %s }\n", params, body));
    if (strcmp(f.parallel.data, parallel) != 0)
        fail_msg("%s: parallel loops are \"%s\", not \"%s\"", body, f.parallel.data, parallel);
    arena_free(arena);
}

static void expect_trips(const char *body, const char *trips)
{
    Arena *arena = arena_new();
    Found f = find(arena, arena_printf(arena, "void f(int n, unsigned u, float a[n])\n{ %s }\n", body));
    assert_string_equal(f.trips.data, trips);
    arena_free(arena);
}

#define A  "float a[n]"
#define AB "const float b[n], float a[n]"
#define A2 "float a[n][m]"

static void independent_iterations(void **state)
{
    (void)state;
    expect(AB, "for (int i = 0; i < n; i++) a[i] = b[i];", "i");
    expect(AB, "for (int i = 0; i < n; i++) a[i] += b[0];", "i");
    expect(AB, "for (int i = 0; i < n - 3; i++) a[i + 3] = 2 * a[i + 3];", "i");
    expect(AB, "for (int i = n - 1; i >= 0; i--) a[i] = b[n - 1 - i];", "i");
    expect(AB, "for (int i = 0; i < n; i += 2) a[i] = 0;", "i");
    expect(AB, "for (int i = 0; i < n; i++) a[n - 1 - i] = b[i];", "i");
    expect(AB, "for (int i = 0; i < n / 2; i++) a[2 * i] = b[i];", "i");
    expect(A2, "for (int i = 0; i < n; i++) for (int j = 0; j < m; j++) a[i][j] = 0;", "i j");
    expect(AB, "for (int i = 0; i < n; i++) if (b[i] > 0) a[i] = 1;", "i");
    expect(AB, "for (int i = 0; i < n; i++) { float s = 0; for (int k = 0; k < n; k++) s += b[k]; a[i] = s; }", "i");
    expect(AB, "for (int i = 0; i < n; i++) { int j; for (j = 0; j < m; j++) a[i] += b[j]; }", "i");
    expect(A2,
           "for (int i = 0; i < n; i++) { float t[4]; for (int j = 0; j < 4; j++) t[j] = a[i][j];"
           " for (int j = 0; j < 4; j++) a[i][j] = t[3 - j]; }",
           "i j j");
    /* Two arrays, each told apart by another dimension. */
    expect("float a[n][m], float c[m][n]", "for (int i = 0; i < n; i++) { a[i][0] = 0; c[1][i] = 1; }", "i");
    /* Rows are apart; within a row the order counts. */
    expect(A2, "for (int i = 0; i < n; i++) for (int j = 1; j < m; j++) a[i][j] += a[i][j - 1];", "i");
}

static void carried_by_arrays(void **state)
{
    (void)state;
    expect(A, "for (int i = 1; i < n; i++) a[i] = a[i - 1];", "");
    expect(A, "for (int i = 0; i < n - 1; i++) a[i] = a[i + 1];", "");
    expect(A, "for (int i = 0; i < n; i++) a[n - 1 - i] = a[i];", "");
    expect(AB, "for (int i = 0; i < n; i++) a[0] += b[i];", "");
    expect(AB, "for (int i = 0; i < n; i++) { a[i] = b[i]; a[0] = b[i]; }", "");
    expect(AB, "for (int i = 0; i < n - 1; i++) { a[i] = b[i]; if (b[i] > 0) a[i + 1] = 0; }", "");
    expect(A2, "for (int i = 0; i < n; i++) for (int j = 0; j < m; j++) a[0][j] += 1;", "j");
    expect(A2, "for (int i = 0; i < n; i++) for (int j = 0; j < n; j++) a[j][i] += a[i][j];", "j");
    /* Dimension 0 pins the store, dimension 1 the load: neither pins both. */
    expect("float a[n][n]", "for (int i = 0; i < n; i++) a[i][0] = a[1][i];", "");
    expect("float a[n][n]", "for (int i = 0; i < n; i++) a[i][0] = a[0][i];", "i"); /* they meet in iteration 0 only */
    /* One array is apart, the other is not. */
    expect("float a[n], float c[n]", "for (int i = 0; i < n; i++) { a[i] = 1; c[0] = a[i]; }", "");
    /* The value of a condition counts as a read. */
    expect(A, "for (int i = 0; i < n - 1; i++) if (a[i + 1] > 0) a[i] = 1;", "");
}

static void subscripts_that_repeat(void **state)
{
    (void)state;
    expect(AB, "for (int i = 0; i < n; i++) a[i / 2] = b[i];", "");
    expect(AB, "for (int i = 0; i < n; i++) a[i % 3] = b[i];", "");
    expect(AB, "for (int i = 0; i < n; i++) a[i * i] = b[i];", "");
    expect(AB, "for (int i = 0; i < n; i++) a[i & 7] = b[i];", "");
    expect(AB, "for (int i = 0; i < n; i++) a[i > 3 ? i : 3] = b[i];", "");
    expect(AB, "for (int i = 0; i < n; i++) a[i - i] = b[i];", "");
    expect(AB, "for (int i = 0; i < n; i++) a[m * i] = b[i];", ""); /* m may be 0 */
    expect("float a[256]", "for (int i = 0; i < n; i++) a[(unsigned char)i] += 1;", "");
    expect("float a[n]", "for (int i = 0; i < n; i++) a[(int)(0.5 * i)] += 1;", "");
    expect(A, "for (unsigned i = 0; i < 8; i += 4) a[1073741824u * i] += 1;", "");
    expect(A, "for (unsigned long i = 0; i < 8; i += 2) a[9223372036854775808ul * i] += 1;", "");
    expect("const int p[n], float a[n]", "for (int i = 0; i < n; i++) a[p[i]] += 1;", "");
    expect("const int p[n], float a[n]", "for (int i = 0; i < n; i++) a[i + p[i]] += 1;", "");
}

static void subscripts_through_temporaries(void **state)
{
    (void)state;
    expect(AB, "for (int i = 0; i < n; i++) { int k = i / 2; a[k] = b[i]; }", "");
    expect(AB, "int k = 0; for (int i = 0; i < n; i++) { a[k] = b[i]; k++; }", "");
    expect(AB, "for (int i = 0; i < n; i++) { int k = 0; a[i + k] = 1; k = 1; a[i + k] = 2; }", "");
    expect(A2, "for (int i = 0; i < n; i++) for (int j = 0; j < m; j++) a[i + j][0] += 1;", "j");
    /* An inner loop with the same name is another variable. */
    expect(A, "for (int i = 0; i < n; i++) for (int i = 0; i < m; i++) a[i] += 1;", "i");
}

static void carried_by_scalars(void **state)
{
    (void)state;
    expect(AB, "float s = 0; for (int i = 0; i < n; i++) { s += b[i]; a[i] = s; }", "");
    expect(AB, "float s; for (int i = 0; i < n; i++) { s = b[i]; a[i] = s; }", "");
    expect(AB, "int j = 7; for (int i = 0; i < n; i++) { a[i] += j; for (j = 0; j < m; j++) a[i] += b[j]; }", "");
    expect(AB, "int j = 7; for (int i = 0; i < n; i++) for (j = 0; j < m; j++) a[i] += b[j]; a[0] = j;", "");
    expect(A, "int i; for (i = 0; i < n; i++) a[i] = 0; a[0] = i;", "");
    /* Nobody sees the variable's last value: it is the loop's own. */
    expect(AB, "int j; for (int i = 0; i < n; i++) for (j = 0; j < m; j++) a[i] += b[j];", "i");
    expect(A, "for (int i = 0; i < n; i++) { a[i] = (float)m; m--; }", "");
    expect("float a[n][4]",
           "float t[4]; for (int i = 0; i < n; i++) { for (int j = 0; j < 4; j++) t[j] = (float)i;"
           " for (int j = 0; j < 4; j++) a[i][j] = t[3 - j]; }",
           "j j");
}

static void bounds_that_change(void **state)
{
    (void)state;
    expect("int a[n]", "for (int i = 0; i < a[0]; i++) a[i] = 1;", "");
    expect("int a[n]", "for (int i = a[0]; i < n; i++) a[i] = 1;", "");
    expect("int a[n][n]", "for (int i = 0; i < n; i++) for (int j = 0; j < i; j++) a[i][j] = 1;", "i j");
}

static void trip_counts(void **state)
{
    (void)state;
    expect_trips("for (int i = 0; i < n; i++) a[i] = 0;", "index:(max index:(cast n) index:0)");
    expect_trips("for (int i = 2; i <= n; i += 3) a[i] = 0;",
                 "index:(max index:(div index:(add index:(add index:(sub index:(cast n) index:2) index:1) index:2) index:3) index:0)");
    expect_trips("for (int i = n; i > 0; i--) a[i - 1] = 0;", "index:(max index:(cast n) index:0)");
    expect_trips("for (int i = n - 1; i >= 0; i -= 2) a[i] = 0;",
                 "index:(max index:(div index:(add index:(add index:(sub index:(cast n) index:1) index:1) index:1) index:2) index:0)");
    expect_trips("for (unsigned i = u; i < 9; i++) a[i] = 0;", "index:(max index:(sub index:9 index:(cast u)) index:0)");
    expect_trips("for (int i = 1; i != n; i++) a[i] = 0;", "index:(max index:(sub index:(cast n) index:1) index:0)");
    /* What might wrap around before it ends. */
    expect_trips("for (unsigned i = 0; i != u; i++) a[i] = 0;", "index:(max index:(cast u) index:0)");
    expect_trips("for (unsigned i = 1; i != u; i++) a[i] = 0;", "?");
    expect_trips("for (unsigned i = u; i != 0; i--) a[i] = 0;", "index:(max index:(cast u) index:0)");
    expect_trips("for (unsigned i = u; i != 2; i--) a[i] = 0;", "?");
    expect_trips("for (unsigned i = 9; i >= u; i--) a[i] = 0;", "?");
    expect_trips("for (unsigned char i = 250; i != 4; i++) a[i] = 0;", "?");
    expect_trips("for (int i = 0; i != n; i += 2) a[i] = 0;", "?");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(independent_iterations),
        cmocka_unit_test(carried_by_arrays),
        cmocka_unit_test(subscripts_that_repeat),
        cmocka_unit_test(subscripts_through_temporaries),
        cmocka_unit_test(carried_by_scalars),
        cmocka_unit_test(bounds_that_change),
        cmocka_unit_test(trip_counts),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
