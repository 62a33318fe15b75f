/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Unsigned index arithmetic that becomes int where that is proven to change nothing. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "normalize/sign.h"
#include "tests/unit/tree.h"

/* C[e] = 0 with threadIdx.x in 0..1023 and n any unsigned. */
typedef struct Store {
    Tree tree;
    Func *f;
    Node *thread, *n;
} Store;

static Store store_new(void)
{
    Store s = {.tree = tree_new()};
    s.f = tree_parse(s.tree, "f", "void f(int C[1], unsigned thread, unsigned n) { C[n] = 0; }");
    assert_non_null(s.f);
    Sym *thread = s.f->params[1];
    thread->name = "threadIdx.x";
    thread->has_range = true, thread->lo = 0, thread->hi = 1023;
    s.thread = mk_var(s.tree.ir, thread);
    s.n = mk_var(s.tree.ir, s.f->params[2]);
    return s;
}

/* What subscript `e` becomes. */
static Node *subscript(Store *s, Node *e)
{
    Ir *ir = s->tree.ir;
    Node *old = s->f->body->kid[0];
    Node *store = mk_store(ir, old->sym, 1, &e, stmt_value(old), N_NONE, old->loc);
    Node *after = int_where_proven(ir, store);
    assert_ptr_equal(int_where_proven(ir, after), after);
    return after->kid[0];
}

static void expect(Store *s, Node *e, Node *expected)
{
    assert_ptr_equal(subscript(s, e), expected);
    arena_free(s->tree.arena);
}

static Node *uint_of(Ir *ir, int64_t v) { return mk_int(ir, T_UINT, v); }
static Node *int_of(Ir *ir, int64_t v) { return mk_int(ir, T_INT, v); }

static void test_fits(void **state)
{
    (void)state;
    Store s = store_new();
    Ir *ir = s.tree.ir;
    Node *e = mk_binary(ir, N_MUL, mk_binary(ir, N_DIV, s.thread, uint_of(ir, 8)), uint_of(ir, 8));
    Node *thread = mk_cast(ir, T_INT, s.thread);
    expect(&s, e, mk_binary(ir, N_MUL, mk_binary(ir, N_DIV, thread, int_of(ir, 8)), int_of(ir, 8)));
}

/* 0u - 1 is 4294967295, not -1. */
static void test_negative(void **state)
{
    (void)state;
    Store s = store_new();
    Node *e = mk_binary(s.tree.ir, N_SUB, s.thread, uint_of(s.tree.ir, 1));
    expect(&s, e, e);
}

static void test_too_large(void **state)
{
    (void)state;
    Store s = store_new();
    Node *e = mk_binary(s.tree.ir, N_MUL, s.thread, uint_of(s.tree.ir, 3000000));
    expect(&s, e, e);
}

static void test_unknown_operand(void **state)
{
    (void)state;
    Store s = store_new();
    Node *e = mk_binary(s.tree.ir, N_ADD, s.thread, s.n);
    expect(&s, e, e);
}

static void test_without_index(void **state)
{
    (void)state;
    Store s = store_new();
    Node *e = mk_binary(s.tree.ir, N_MOD, s.n, uint_of(s.tree.ir, 7));
    expect(&s, e, e);
}

static void test_compare(void **state)
{
    (void)state;
    Store s = store_new();
    Ir *ir = s.tree.ir;
    Node *e = mk_binary(ir, N_LT, s.thread, uint_of(ir, 7));
    Node *wide = mk_binary(ir, N_LT, s.thread, uint_of(ir, 3000000000));
    assert_ptr_equal(subscript(&s, wide), wide);
    expect(&s, e, mk_binary(ir, N_LT, mk_cast(ir, T_INT, s.thread), int_of(ir, 7)));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_fits),          cmocka_unit_test(test_negative),
        cmocka_unit_test(test_too_large),     cmocka_unit_test(test_unknown_operand),
        cmocka_unit_test(test_without_index), cmocka_unit_test(test_compare),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
