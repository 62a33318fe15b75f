/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What loops carry from iteration to iteration, and how that is said. */
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
#include "ir/walk.h"
#include "tests/unit/tree.h"

typedef struct Found {
    Ir *ir;
    Text text;
} Found;

static bool visit(void *user, Node *n)
{
    Found *f = user;
    Carried why;
    if (n->kind != N_FOR)
        return !is_expr(n);
    if (loop_is_ordered(f->ir, n, &why))
        text_printf(&f->text, "%s: %s\n", n->sym->name, carried_text(f->ir, &why));
    return true;
}

/* A line for each loop that is not parallel, outermost first. */
static void expect(const char *params, const char *body, const char *ordered)
{
    Tree t = tree_new();
    Found f = {.ir = t.ir};
    Func *func = tree_parse(t, "test.spec", arena_printf(t.arena, "void f(int n, int m, %s)\n{\n%s\n}\n", params, body));
    assert_non_null(func);
    inline_helpers(t.ir, func);
    func->body = simplify(t.ir, func->body);
    text_init(&f.text, t.arena);
    walk(&(Walker){.pre = visit, .user = &f}, func->body);
    if (strcmp(f.text.data, ordered) != 0)
        fail_msg("%s:\n%s instead of\n%s", body, f.text.data, ordered);
    arena_free(t.arena);
}

#define A  "float a[n]"
#define A2 "float a[n][m]"
#define SQ "float a[n][n]"

static void the_right_isl(void **state)
{
    (void)state;
    assert_non_null(strstr(isl_in_use(), "GMP"));
}

static void named_accesses(void **state)
{
    (void)state;
    expect(A, "for (int i = 1; i < n; i++)\n a[i] = a[i - 1];",
           "i: a[i] at line 4 writes what a[i-1] at line 4 reads in a later iteration\n");
    expect(A, "for (int i = 0; i < n - 1; i++)\n a[i] = a[i + 1];",
           "i: a[i+1] at line 4 reads what a[i] at line 4 writes in a later iteration\n");
    expect(A, "for (int i = n - 2; i >= 0; i--)\n a[i] = a[i + 1];",
           "i: a[i] at line 4 writes what a[i+1] at line 4 reads in a later iteration\n");
    expect(A, "for (int i = 0; i < n; i++)\n a[0] = i;",
           "i: a[0] at line 4 writes what a[0] at line 4 writes again in a later iteration\n");
    expect(A2, "for (int i = 1; i < n; i++)\n for (int j = 0; j < m; j++)\n a[i][j] = a[i - 1][j];",
           "i: a[i][j] at line 5 writes what a[i-1][j] at line 5 reads in a later iteration\n");
    expect(A, "float s = 0;\nfor (int i = 0; i < n; i++) { s += a[i];\n a[i] = s; }", "i: s outlives the iteration that assigns it\n");
    expect("int a[n]", "for (int i = 0; i < a[0]; i++) a[i] = 1;", "i: its bounds may change while it runs\n");
}

static void shifted_by_more_than_it_runs(void **state)
{
    (void)state;
    expect("float a[2 * n]", "for (int i = 0; i < n; i++) a[i] = a[i + n];", "");
    expect("float a[3 * n]", "for (int i = 0; i < n; i++) a[i + n] = a[i] + a[i + 2 * n];", "");
    expect("float a[64]", "for (int i = 0; i < 8; i++) a[i] = a[i + 8];", "");
    expect("float a[64]", "for (int i = 0; i < 9; i++)\n a[i] = a[i + 8];",
           "i: a[i+8] at line 4 reads what a[i] at line 4 writes in a later iteration\n");
}

static void interleaved(void **state)
{
    (void)state;
    expect("float a[2 * n + 1]", "for (int i = 0; i < n; i++) a[2 * i] = a[2 * i + 1];", "");
    expect("float a[n + 1]", "for (int i = 0; i < n; i += 2) a[i] = a[i + 1];", "");
    expect("float a[n + 1]", "for (int i = n - 2; i >= 0; i -= 2) a[i] = a[i + 1];", "");
    expect("float a[n + 2]", "for (int i = 0; i < n; i += 2)\n a[i] = a[i + 2];",
           "i: a[i+2] at line 4 reads what a[i] at line 4 writes in a later iteration\n");
    expect("float a[4 * n]", "for (int i = 0; i < n; i++) for (int j = 0; j < 4; j++) a[4 * i + j] = 0;", "");
    expect("float a[4 * n]", "for (int i = 0; i < n; i++)\n for (int j = 0; j < 5; j++)\n a[4 * i + j] = 0;",
           "i: a[4*i+j] at line 5 writes what a[4*i+j] at line 5 writes again in a later iteration\n");
}

static void triangles(void **state)
{
    (void)state;
    expect(SQ, "for (int i = 0; i < n; i++) for (int j = 0; j < i; j++) a[j][i] = a[i][j];", "");
    expect(SQ, "for (int i = 0; i < n; i++) for (int j = i + 1; j < n; j++) a[j][i] = a[i][j];", "");
    expect(SQ, "for (int i = 0; i < n; i++)\n for (int j = 0; j <= i; j++)\n a[j][i] += a[i][j];", "");
    expect(SQ, "for (int i = 0; i < n; i++)\n for (int j = 0; j < n; j++)\n a[j][i] = a[i][j];",
           "i: a[i][j] at line 5 reads what a[j][i] at line 5 writes in a later iteration\n"); /* j == i in one iteration only */
    /* Rows below the pivot, columns beyond it. */
    expect(SQ, "for (int k = 0; k < 1; k++) for (int i = k + 1; i < n; i++) for (int j = k + 1; j < n; j++) a[i][j] -= a[i][k] * a[k][j];",
           "");
}

static void conditions(void **state)
{
    (void)state;
    expect("float a[n]", "for (int i = 0; i < n; i++) if (i < m) a[i] = 0; else a[i] = a[m - 1];",
           "i: a[i] at line 3 writes what a[m-1] at line 3 reads in a later iteration\n");
    expect("float a[n]", "for (int i = 0; i < n; i++) if (i > m) a[i] = a[m];", "");
    expect("float a[n]", "for (int i = 0; i < n; i++) if (!(i <= m)) a[i] = a[m];", "");
    expect("float a[n]", "for (int i = 0; i < n; i++) if (i <= m) { } else a[i] = a[m];", "");
    expect("float a[n]", "for (int i = 0; i < n; i++) if (n > 3 && m < i) a[i] = a[m];", "");
    expect("float a[n]", "for (int i = 0; i < n; i++) if (n > 3 || m < i)\n a[i] = a[m];",
           "i: a[m] at line 4 reads what a[i] at line 4 writes in a later iteration\n");
}

static void what_does_not_change(void **state)
{
    (void)state;
    /* Products of parameters and elements that nobody writes are parameters. */
    expect("float a[n * m + n]", "for (int i = 0; i < n; i++) a[n * m + i] = a[n * m + i] + 1;", "");
    expect("const int p[n], float a[n]", "for (int i = 0; i < n; i++) a[i + p[0]] += a[i + p[0]];", "");
    expect("const int p[n], float a[n]", "for (int i = 0; i < n; i++)\n a[i + p[i]] += 1;",
           "i: a[i+p[i]] at line 4 reads what a[i+p[i]] at line 4 writes in a later iteration\n");
    expect("int p[n], float a[n]", "for (int i = 0; i < n; i++) {\n p[i] = 0;\n a[i + p[0]] += 1; }",
           "i: p[i] at line 4 writes what p[0] at line 5 reads in a later iteration\n");
    expect("float a[n]", "for (int i = 0; i < n; i++) { int k = i + m; a[k] += 1; }", "");
    expect("float a[n]", "for (int i = 0; i < n; i++) { int k = i + m;\n k += i / 2; a[k] += 1; }",
           "i: a[k] at line 4 reads what a[k] at line 4 writes in a later iteration\n");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_right_isl),        cmocka_unit_test(named_accesses), cmocka_unit_test(shifted_by_more_than_it_runs),
        cmocka_unit_test(interleaved),          cmocka_unit_test(triangles),      cmocka_unit_test(conditions),
        cmocka_unit_test(what_does_not_change),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
