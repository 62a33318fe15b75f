/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Which subscripts are proven to stay inside their arrays. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

#include "depend/inside.h"
#include "fuse/inline_helpers.h"
#include "ir/simplify.h"
#include "tests/unit/tree.h"

/* The first access that is not proven to be inside, by its name; "": all are. */
static void expect(const char *params, const char *body, const char *outside)
{
    Tree t = tree_new();
    Func *func = tree_parse(t, "test.spec", arena_printf(t.arena, "void f(int n, int m, %s)\n{\n%s\n}\n", params, body));
    assert_non_null(func);
    inline_helpers(t.ir, func);
    func->body = simplify(t.ir, func->body);
    Node *stmt = NULL, *access = perhaps_outside(t.ir, func, func->body, &stmt);
    const char *text = "";
    if (access) {
        assert_non_null(stmt);
        text = access->sym->name;
    }
    if (strcmp(text, outside) != 0)
        fail_msg("%s:\n'%s' instead of '%s'", body, text, outside);
    arena_free(t.arena);
}

#define XY "const float x[n], float y[n]"

static void loops_over_extents(void **state)
{
    (void)state;
    expect(XY, "for (int i = 0; i < n; i++) y[i] = x[i];", "");
    expect(XY, "for (int i = n - 1; i >= 0; i--) y[i] = x[n - 1 - i];", "");
    expect(XY, "for (int i = 0; i <= n; i++) y[i] = 0;", "y");
    expect(XY, "for (int i = 0; i < n; i++) y[i] = x[i + 1];", "x");
    expect(XY, "for (int i = 0; i < n; i++) y[i] = x[i - 1];", "x");
    expect(XY, "for (int i = 0; i < m; i++) y[i] = x[i];", "x");
    expect("float a[n][m]", "for (int i = 0; i < n; i++) for (int j = 0; j < m; j++) a[i][j] = 0;", "");
    expect("float a[n][m]", "for (int i = 0; i < n; i++) for (int j = 0; j < m; j++) a[j][i] = 0;", "a");
}

static void fixed_extents(void **state)
{
    (void)state;
    expect("float a[4]", "for (int i = 0; i < 4; i++) a[i] = 0;", "");
    expect("float a[4]", "for (int i = 0; i < 5; i++) a[i] = 0;", "a");
    expect("float a[4]", "a[3] = 0;", "");
    expect("float a[4]", "a[n] = 0;", "a");
    expect("float a[n + 1]", "a[0] = 0;", "a"); /* n may be -1 */
    expect("float a[2 * n]", "for (int i = 0; i < n; i++) a[2 * i + 1] = a[2 * i];", "");
}

static void conditions(void **state)
{
    (void)state;
    expect(XY, "for (int i = 0; i < m; i++) if (i < n) y[i] = x[i];", "");
    expect(XY, "for (int i = 0; i < m; i++) if (i >= n) y[i] = 0; else y[i] = 1;", "y");
    expect(XY, "for (int i = 0; i < n; i++) y[i] = i + 1 < n ? x[i + 1] : 0;", "");
    expect(XY, "for (int i = 0; i < n; i++) y[i] = i > 0 && x[i - 1] > 0;", "");
    expect(XY, "for (int i = 0; i < n; i++) y[i] = i < 1 || x[i - 1] > 0;", "");
    expect(XY, "for (int i = 0; i < n; i++) y[i] = i == 0 || x[i - 1] > 0;", "x"); /* that i is not 0 says nothing to it */
    expect(XY, "for (int i = 0; i < n; i++) y[i] = i + m < n ? x[i + m] : 0;", "x"); /* m may be negative */
    expect(XY, "for (int i = 0; i < n; i++) y[i] = m >= 0 && i + m < n ? x[i + m] : 0;", "");
}

static void values_from_memory(void **state)
{
    (void)state;
    expect("const int at[n], const float x[m], float y[n]", "for (int i = 0; i < n; i++) y[i] = x[at[i]];", "x");
    expect("const int at[n], float y[n]", "for (int i = 0; i < at[0]; i++) y[i] = 0;", "at");
    expect("const int at[n + 1], float y[n]", "for (int i = 0; i < n; i++) for (int j = at[i]; j < at[i + 1]; j++) y[j] = 0;", "y");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(loops_over_extents),
        cmocka_unit_test(fixed_extents),
        cmocka_unit_test(conditions),
        cmocka_unit_test(values_from_memory),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
