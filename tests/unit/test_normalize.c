/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What the cases of tests/unit/licm_cases cannot say: kinds that no spec spells, and the size of the work. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "ir/check.h"
#include "ir/walk.h"
#include "licm/licm.h"
#include "normalize/normalize.h"
#include "tests/unit/tree.h"

static const LicmOptions full = {.mode = LICM_FULL, .threshold = 1};

/* for i in 0..7: for j in 0..7: C[0] = value; parameters n, m in 0..100. */
typedef struct Nest {
    Tree tree;
    Func *f;
    Node *i, *j, *n, *m;
} Nest;

static Nest nest_new(void)
{
    Nest s = {.tree = tree_new()};
    s.f = tree_parse(s.tree, "nest",
                     "void f(int C[1], int n, int m) {\n"
                     "    for (int i = 0; i < 8; i++)\n        for (int j = 0; j < 8; j++)\n            C[0] = n + m;\n}\n");
    assert_non_null(s.f);
    for (int k = 1; k < 3; k++)
        s.f->params[k]->has_range = true, s.f->params[k]->lo = 0, s.f->params[k]->hi = 100;
    s.n = mk_var(s.tree.ir, s.f->params[1]);
    s.m = mk_var(s.tree.ir, s.f->params[2]);
    s.i = mk_var(s.tree.ir, s.f->body->kid[0]->sym);
    Node *inner = s.f->body->kid[0]->kid[2];
    while (inner->kind == N_BLOCK)
        inner = inner->kid[0];
    s.j = mk_var(s.tree.ir, inner->sym);
    return s;
}

static Node *replace_value(void *value, Node *n)
{
    if (n->kind == N_STORE)
        n->kid[n->nkids - 1] = value;
    return n;
}

/* What `value` becomes in the innermost loop. */
static Node *normal_value(Nest *s, Node *value)
{
    rewrite(&(Rewriter){.ir = s->tree.ir, .post = replace_value, .user = value}, s->f->body);
    s->f->body = normalize(s->tree.ir, s->f, s->f->body, &full);
    check_func(s->tree.ir, s->f, TREE_INLINED, "normalize");
    assert_ptr_equal(normalize(s->tree.ir, s->f, s->f->body, &full), s->f->body);
    const Node *at = s->f->body;
    while (at->kind == N_BLOCK || at->kind == N_FOR)
        at = at->kid[at->nkids - 1];
    return stmt_value(at);
}

static Node *fold(Ir *ir, Kind kind, int n, Node *const *e)
{
    Node *all = e[0];
    for (int i = 1; i < n; i++)
        all = mk_binary(ir, kind, all, e[i]);
    return all;
}

/* (j . n) . (i . 5) . m . 3  ->  ((n . m . imm) . i) . j */
static void check_chain(Kind kind, int64_t immediate)
{
    Nest s = nest_new();
    Ir *ir = s.tree.ir;
    Node *left = mk_binary(ir, kind, s.j, s.n), *right = mk_binary(ir, kind, s.i, mk_int(ir, T_INT, 5));
    Node *source[] = {left, right, s.m, mk_int(ir, T_INT, 3)};
    Node *expected[] = {s.n, s.m, mk_int(ir, T_INT, immediate), s.i, s.j};
    Node *got = normal_value(&s, fold(ir, kind, 4, source));
    if (got != fold(ir, kind, 5, expected))
        fail_msg("%s: %s", kind_info[kind].name, tree_text(s.tree, s.f));
    arena_free(s.tree.arena);
}

static void test_chains(void **state)
{
    (void)state;
    check_chain(N_MIN, 3);
    check_chain(N_MAX, 5);
    check_chain(N_AND, 1);
    check_chain(N_OR, 7);
    check_chain(N_XOR, 6);
    check_chain(N_MUL, 15);
}

static void test_neutral(void **state)
{
    (void)state;
    static const struct {
        Kind kind;
        int64_t neutral;
    } ops[] = {{N_ADD, 0}, {N_MUL, 1}, {N_AND, -1}, {N_OR, 0}, {N_XOR, 0}, {N_MIN, INT32_MAX}, {N_MAX, INT32_MIN}};
    for (size_t k = 0; k < sizeof ops / sizeof *ops; k++) {
        Nest s = nest_new();
        Node *e = mk_binary(s.tree.ir, ops[k].kind, mk_int(s.tree.ir, T_INT, ops[k].neutral), s.j);
        assert_ptr_equal(normal_value(&s, e), s.j);
        arena_free(s.tree.arena);
    }
}

/* Floating + and * keep their shape whatever the ranks. */
static void test_float(void **state)
{
    (void)state;
    Nest s = nest_new();
    Ir *ir = s.tree.ir;
    Node *x[] = {mk_cast(ir, T_FLOAT, s.j), mk_cast(ir, T_FLOAT, s.n), mk_cast(ir, T_FLOAT, s.i)};
    Node *e = mk_cast(ir, T_INT, fold(ir, N_ADD, 3, x));
    assert_ptr_equal(normal_value(&s, e), e);
    arena_free(s.tree.arena);
}

/* Nodes that both passes make on a sum of n products of up to n * scale, and n selects inside one another. */
static int nodes_for(int n, int scale)
{
    Nest s = nest_new();
    Ir *ir = s.tree.ir;
    Node *vars[] = {s.j, s.n, s.i, s.m}, *sum = s.j, *select = s.n;
    for (int k = 0; k < n; k++) {
        Node *v = vars[k % 4];
        sum = mk_binary(ir, k % 3 ? N_ADD : N_SUB, sum, mk_binary(ir, N_MUL, v, mk_int(ir, T_INT, k * scale)));
        select = mk_select(ir, mk_binary(ir, N_LT, v, mk_int(ir, T_INT, k)), select, s.m);
    }
    rewrite(&(Rewriter){.ir = ir, .post = replace_value, .user = mk_binary(ir, N_XOR, sum, select)}, s.f->body);
    int before = ir->nnodes;
    s.f->body = normalize(ir, s.f, s.f->body, &full);
    s.f->body = licm(ir, s.f, s.f->body, &full);
    int made = ir->nnodes - before;
    assert_ptr_equal(licm(ir, s.f, normalize(ir, s.f, s.f->body, &full), &full), s.f->body);
    arena_free(s.tree.arena);
    return made;
}

/* Four times the input makes about four times as many nodes. */
static void check_linear(int scale)
{
    int small = nodes_for(500, scale), large = nodes_for(2000, scale);
    if (large > 4.2 * small)
        fail_msg("%d nodes for 500 terms, %d for 2000", small, large);
}

/* With sums that are proven to fit, and with sums that may overflow. */
static void test_linear(void **state)
{
    (void)state;
    check_linear(1);
    check_linear(10000);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_chains),
        cmocka_unit_test(test_neutral),
        cmocka_unit_test(test_float),
        cmocka_unit_test(test_linear),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
