/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What the verifier finds wrong with trees: each is an internal error that names the pass. */
#include <setjmp.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cmocka.h>

#include "ir/check.h"
#include "tests/unit/tree.h"

typedef struct Case {
    Tree tree;
    Func *f;
    Sym *n, *x, *y;
} Case;

static Case begin(void)
{
    Case c = {.tree = tree_new()};
    c.f = tree_parse(c.tree, "f", "void f(int n, const float x[n][n], float y[n]) { y[0] = x[0][0]; }\n");
    assert_non_null(c.f);
    c.n = c.f->params[0], c.x = c.f->params[1], c.y = c.f->params[2];
    return c;
}

/* Whether a body is refused with these words; "": it is not. */
static void expect(const Case *c, Node *body, unsigned form, const char *words)
{
    int ends[2], status;
    char said[600] = "";
    assert_int_equal(pipe(ends), 0);
    const pid_t child = fork();
    assert_true(child >= 0);
    if (!child) {
        dup2(ends[1], 2);
        c->f->body = body;
        check_func(c->tree.ir, c->f, form, "test");
        _exit(0);
    }
    close(ends[1]);
    for (ssize_t got, at = 0; (got = read(ends[0], said + at, sizeof said - 1 - (size_t)at)) > 0; at += got) {
    }
    close(ends[0]);
    assert_int_equal(waitpid(child, &status, 0), child);
    assert_true(WIFEXITED(status));
    assert_int_equal(WEXITSTATUS(status), *words ? 2 : 0);
    if (!strstr(said, words) || (*words && !strstr(said, "after test, in f: ")))
        fail_msg("'%s' does not say '%s'", said, words);
}

static void holds_from_then_on(void **unused)
{
    (void)unused;
    Case c = begin();
    Ir *ir = c.tree.ir;
    Node *body = c.f->body, *assigned = mk_assign(ir, c.n, mk_int(ir, T_INT, 1), N_NONE, c.f->loc);
    expect(&c, body, TREE_INLINED, "");
    expect(&c, body, TREE_INLINED | TREE_LINEAR, "load node of x breaks the rule");
    expect(&c, assigned, TREE_INLINED, "");
    expect(&c, assigned, TREE_INLINED | TREE_FIXED_PARAMETERS, "assign node of n breaks the rule");
    arena_free(c.tree.arena);
}

static void vectors(void **unused)
{
    (void)unused;
    enum { FORM = TREE_INLINED | TREE_PART | TREE_VECTORS };
    Case c = begin();
    Ir *ir = c.tree.ir;
    Node *at = mk_int(ir, T_INDEX, 0), *ones = mk_splat(ir, mk_float(ir, T_FLOAT, 1), false);
    Node *wide = mk_splat(ir, mk_float(ir, T_FLOAT, 1), true), *doubles = mk_splat(ir, mk_float(ir, T_DOUBLE, 1), false);
    Node *mixed[] = {ones, wide}, *chosen[] = {ones, ones, ones};
    Node *store = mk_vstore(ir, c.y, at, ones, NULL, c.f->loc);
    expect(&c, store, FORM, "");
    expect(&c, store, TREE_INLINED | TREE_PART, "vstore node of y breaks the rule");
    expect(&c, mk_vstore(ir, c.y, at, mk_float(ir, T_FLOAT, 1), NULL, c.f->loc), FORM, "vstore node of y breaks the rule");
    expect(&c, mk_vstore(ir, c.y, at, doubles, NULL, c.f->loc), FORM, "vstore node of y breaks the rule");
    expect(&c, mk_vstore(ir, c.y, mk_int(ir, T_INT, 0), ones, NULL, c.f->loc), FORM, "vstore node of y breaks the rule");
    expect(&c, mk_vstore(ir, c.y, at, ones, ones, c.f->loc), FORM, "vstore node of y breaks the rule");
    expect(&c, mk_vstore(ir, c.y, at, mk_expr(ir, N_ADD, ones->type, NULL, 2, mixed, c.f->loc), NULL, c.f->loc), FORM, "add node breaks");
    expect(&c, mk_vstore(ir, c.y, at, mk_expr(ir, N_SEL, ones->type, NULL, 3, chosen, c.f->loc), NULL, c.f->loc), FORM, "sel node breaks");
    expect(&c, mk_vstore(ir, c.y, at, mk_vload(ir, c.x, mk_int(ir, T_INT, 0), NULL, false), NULL, c.f->loc), FORM,
           "vload node of x breaks");
    arena_free(c.tree.arena);
}

/* Among vectors a declaration is seen up to the end of the loop or branch, though a block in a block ends before. */
static void scopes(void **unused)
{
    (void)unused;
    Case c = begin();
    Ir *ir = c.tree.ir;
    Sym *sum = sym_new(ir, S_LOCAL, T_FLOAT, "sum", c.f->loc);
    Node *declared = mk_decl(ir, sum, mk_float(ir, T_FLOAT, 0), c.f->loc), *set = mk_assign(ir, sum, mk_var(ir, sum), N_NONE, c.f->loc);
    Node *both[] = {mk_block(ir, 1, &declared, c.f->loc), set};
    Node *block = mk_block(ir, 2, both, c.f->loc);
    expect(&c, block, TREE_INLINED | TREE_PART, "node of sum breaks the rule");
    expect(&c, block, TREE_INLINED | TREE_PART | TREE_VECTORS, "");
    Node *branch[] = {mk_if(ir, mk_int(ir, T_INT, 1), block, NULL, c.f->loc), set};
    expect(&c, mk_block(ir, 2, branch, c.f->loc), TREE_INLINED | TREE_PART | TREE_VECTORS, "node of sum breaks the rule");
    arena_free(c.tree.arena);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(holds_from_then_on), cmocka_unit_test(vectors), cmocka_unit_test(scopes)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
