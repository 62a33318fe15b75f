/* SPDX-License-Identifier: GPL-3.0-or-later */
/* normalize and licm on kept functions: effects, aliases, jumps, loops of any form, exact names. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

#include <cmocka.h>

#include "ir/check.h"
#include "licm/licm.h"
#include "normalize/normalize.h"
#include "tests/unit/kept.h"

typedef struct Case {
    const char *name, *params, *before, *after; /* after: NULL if nothing changes */
    LicmOptions opt;
} Case;

#define DEFAULTS .mode = LICM_FULL, .threshold = 1
#define INTS     "int C[100], int n, int m"
#define FOR_I    "for (int i = 0; i < 8; i++) "
#define FOR_J    "for (int j = 0; j < 8; j++) "

static const Case cases[] = {
    /* Who may change a global, or what a pointer points to. */
    {"global_moves", INTS ", int g_x", FOR_I "C[i] = g_x % 7;", "int t0 = g_x % 7; " FOR_I "C[i] = t0;", {DEFAULTS}},
    {"global_and_call", INTS ", int g_x", FOR_I "{ C[i] = g_x % 7; eff(i); }", NULL, {DEFAULTS}},
    {"global_and_pointer", "int p_C[100], int g_x", FOR_I "p_C[i] = g_x % 7;", NULL, {DEFAULTS}},
    {"global_and_named_array", "int n_C[100], int g_x", FOR_I "n_C[i] = g_x % 7;", "int t0 = g_x % 7; " FOR_I "n_C[i] = t0;", {DEFAULTS}},
    {"local_named_and_pointer", "int p_C[100], int n", "int a_x = n; " FOR_I "p_C[i] = a_x % 7;", NULL, {DEFAULTS}},
    {"local_and_call", INTS, FOR_I "{ C[i] = n % 7; eff(i); }", "int t0 = n % 7; " FOR_I "{ C[i] = t0; eff(i); }", {DEFAULTS}},
    {"global_and_start", INTS ", int g_x", FOR_I "for (int j = call(i); j < 9; j++) C[i] = g_x % 7;", NULL, {DEFAULTS}},
    {"load_and_other",
     "int C[100], int A[100]",
     FOR_I "C[i] = A[3];",
     "int t0 = A[3]; " FOR_I "C[i] = t0;",
     {DEFAULTS, .loads_proven = true}},
    {"load_and_call", "int C[100], int A[100]", FOR_I "{ C[i] = A[3]; eff(i); }", NULL, {DEFAULTS, .loads_proven = true}},
    {"load_through_pointer", "int n_C[100], int p_A[100]", FOR_I "n_C[i] = p_A[3];", NULL, {DEFAULTS, .loads_proven = true}},
    {"load_of_named", "int p_C[100], int n_A[100]", FOR_I "p_C[i] = n_A[3];", NULL, {DEFAULTS, .loads_proven = true}},
    {"loads_of_two_named",
     "int n_C[100], int n_A[100]",
     FOR_I "n_C[i] = n_A[3];",
     "int t0 = n_A[3]; " FOR_I "n_C[i] = t0;",
     {DEFAULTS, .loads_proven = true}},
    {"loads_of_two_pointers", "int p_C[100], int p_A[100]", FOR_I "p_C[i] = p_A[3];", NULL, {DEFAULTS, .loads_proven = true}},
    {"load_and_barrier",
     "int C[100], int A[100]",
     FOR_I "{ C[i] = A[3]; barrier_(); }",
     NULL,
     {DEFAULTS, .loads_proven = true, .barrier_legal = true}},
    {"held_across_call",
     INTS ", int g_x",
     FOR_I "{ " FOR_J "C[j] = g_x % 7; if (call(i) && g_x % 7 == m) C[i] = 1; }",
     FOR_I "{ int t0 = g_x % 7; " FOR_J "C[j] = t0; if (call(i) && g_x % 7 == m) C[i] = 1; }",
     {DEFAULTS}},
    {"held_across_pointer",
     "int p_C[100], int g_x, int m",
     "int c = 0; " FOR_I "{ " FOR_J "c += g_x % 7; p_C[i] = g_x % 7; p_C[i + 1] = g_x % 7; }",
     "int c = 0; " FOR_I "{ int t0 = g_x % 7; " FOR_J "c += t0; p_C[i] = t0; p_C[i + 1] = g_x % 7; }",
     {DEFAULTS}},

    /* What is executed anyway. */
    {"division_moves", INTS, FOR_I "C[i] = n / m;", "int t0 = n / m; " FOR_I "C[i] = t0;", {DEFAULTS}},
    {"division_behind_break", INTS, FOR_I "{ if (i == n) break_(); C[i] = n / m; }", NULL, {DEFAULTS}},
    {"division_behind_continue", INTS, FOR_I "{ if (i == n) { continue_(); } C[i] = n / m; }", NULL, {DEFAULTS}},
    {"division_before_break", INTS, FOR_I "{ C[i] = n / m; break_(); }", "int t0 = n / m; " FOR_I "{ C[i] = t0; break_(); }", {DEFAULTS}},
    {"division_behind_inner_break",
     INTS,
     FOR_I "{ " FOR_J "{ if (j == n) break_(); C[j] = 1; } C[i] = n / m; }",
     "int t0 = n / m; " FOR_I "{ " FOR_J "{ if (j == n) break_(); C[j] = 1; } C[i] = t0; }",
     {DEFAULTS}},
    {"division_behind_return",
     INTS,
     FOR_I "{ " FOR_J "{ if (j == n) return_(); C[j] = 1; } " FOR_J "C[j] = n / m; }",
     FOR_I "{ " FOR_J "{ if (j == n) return_(); C[j] = 1; } int t0 = n / m; " FOR_J "C[j] = t0; }",
     {DEFAULTS}},
    {"division_behind_call", INTS, FOR_I "{ eff(i); C[i] = n / m; }", NULL, {DEFAULTS}},
    {"division_before_call", INTS, FOR_I "{ C[i] = n / m; eff(i); }", "int t0 = n / m; " FOR_I "{ C[i] = t0; eff(i); }", {DEFAULTS}},
    {"division_beside_call", INTS, FOR_I "C[call(i) & 7] = n / m;", NULL, {DEFAULTS}},
    {"division_beside_volatile", INTS ", int v_x", FOR_I "C[v_x & 7] = n / m;", NULL, {DEFAULTS}},
    {"division_behind_volatile",
     INTS ", int v_x",
     FOR_I "{ C[1] = v_x; C[i] = n / m; }",
     "int t0 = n / m; " FOR_I "{ C[1] = v_x; C[i] = t0; }",
     {DEFAULTS}},
    {"division_behind_opaque", INTS, FOR_I "{ opaque_(n); C[i] = 7 / m; }", NULL, {DEFAULTS}},
    {"division_behind_while",
     INTS,
     "int c = 0; " FOR_I "{ for (int w_1 = 0; w_1 < (c < n); w_1++) c += 1; C[i] = n / m; }",
     NULL,
     {DEFAULTS}},
    {"division_in_while", INTS, "int c = 0; for (int w_1 = 0; w_1 < (c < n); w_1++) c += n / m; C[0] = m;", NULL, {DEFAULTS}},
    {"division_in_do",
     INTS,
     "int c = 0; " FOR_I "{ for (int d_1 = 0; d_1 < (c < n); d_1++) c += n / m; } C[0] = m;",
     "int c = 0; int t0 = n / m; " FOR_I "{ for (int d_1 = 0; d_1 < (c < n); d_1++) c += t0; } C[0] = m;",
     {DEFAULTS}},
    {"division_in_condition",
     INTS,
     "int c = 0; for (int w_1 = 0; w_1 < (c < n / m); w_1++) c += 1; C[0] = m;",
     "int c = 0; int t0 = n / m; for (int w_1 = 0; w_1 < (c < t0); w_1++) c += 1; C[0] = m;",
     {DEFAULTS}},
    {"division_in_condition_behind_break",
     INTS,
     "int c = 0; for (int d_1 = 0; d_1 < (c < n / m); d_1++) { c += 1; if (c == 3) break_(); } C[0] = m;",
     NULL,
     {DEFAULTS}},
    {"division_in_step", INTS, "for (int s_i = 0; s_i < 9; s_i++) { C[s_i] = 1; step_(n / m); }", NULL, {DEFAULTS}},
    {"remainder_in_while",
     INTS,
     "int c = 0; for (int w_1 = 0; w_1 < (c < n); w_1++) c += n % 7; C[0] = m;",
     "int c = 0; int t0 = n % 7; for (int w_1 = 0; w_1 < (c < n); w_1++) c += t0; C[0] = m;",
     {DEFAULTS}},
    {"pure_call", INTS, FOR_I "C[i] = pure_(n);", "int t0 = pure_(n); " FOR_I "C[i] = t0;", {DEFAULTS}},
    {"pure_call_guarded", INTS, FOR_I "if (i < n) C[i] = pure_(n);", NULL, {DEFAULTS}},
    {"pure_call_for_nothing",
     INTS,
     FOR_I "{ pure_eff(n % 7); C[i] = 1; }",
     "int t0 = n % 7; " FOR_I "{ pure_eff(t0); C[i] = 1; }",
     {DEFAULTS}},
    {"call_stays", INTS, FOR_I "C[i] = call(n % 7) * 2;", "int t0 = n % 7; " FOR_I "C[i] = call(t0) * 2;", {DEFAULTS}},
    {"volatile_stays", INTS ", int v_x", FOR_I "C[i] = v_x % 7;", NULL, {DEFAULTS}},

    /* Barriers. */
    {"barrier_strict",
     INTS,
     FOR_I "{ barrier_(); " FOR_J "C[i] = n % 7; }",
     FOR_I "{ barrier_(); int t0 = n % 7; " FOR_J "C[i] = t0; }",
     {DEFAULTS}},
    {"barrier_legal",
     INTS,
     FOR_I "{ barrier_(); " FOR_J "C[i] = n % 7; }",
     "int t0 = n % 7; " FOR_I "{ barrier_(); " FOR_J "C[i] = t0; }",
     {DEFAULTS, .barrier_legal = true}},
    {"barrier_unswitch", INTS, FOR_I "if (n < 3) barrier_(); C[0] = m;", NULL, {DEFAULTS}},

    /* Conditions with effects. */
    {"fence",
     INTS,
     FOR_I "if (i < n && m < 3 && call(i) && i < m && n < 3) C[i] = 1;",
     "if (m < 3) { bool t0 = n < 3; " FOR_I "if ((i < n && call(i)) && t0 && i < m) C[i] = 1; }",
     {DEFAULTS}},
    {"fence_duplicates",
     INTS,
     FOR_I "if (i < n && call(i) && i < n && i < n) C[i] = 1;",
     FOR_I "if (i < n && call(i) && i < n) C[i] = 1;",
     {DEFAULTS}},
    {"same_arms_impure", INTS, FOR_I "C[i] = call(i) ? n : n;", NULL, {DEFAULTS}},
    {"same_arms_pure", INTS, FOR_I "C[i] = i < 3 ? call(n) : call(n);", FOR_I "C[i] = call(n);", {DEFAULTS}},
    {"nested_select_impure", INTS, FOR_I "C[i] = call(i) ? (i < 3 ? n : m) : m;", FOR_I "C[i] = call(i) && i < 3 ? n : m;", {DEFAULTS}},
    {"compare_two_calls", INTS, FOR_I "C[i] = call(i) > call(n);", NULL, {DEFAULTS}},
    {"compare_one_call", INTS, FOR_I "C[i] = call(i) > n;", FOR_I "C[i] = n < call(i);", {DEFAULTS}},
    {"compare_call_and_global", INTS ", int g_x", FOR_I "C[i] = call(i) > g_x;", NULL, {DEFAULTS}},
    {"sum_two_calls", INTS, FOR_I "C[i] = (call(i) & i & call(n)) & m;", NULL, {DEFAULTS}},
    {"sum_one_call", INTS, FOR_I "C[i] = (call(i) & n & i) & m;", "int t0 = n & m; " FOR_I "C[i] = t0 & (call(i) & i);", {DEFAULTS}},
    {"sum_call_and_load", INTS ", int A[100]", FOR_I "C[i] = (call(i) & A[i]) & m;", NULL, {DEFAULTS}},

    /* Neighbouring ifs. */
    {"merge_locals", INTS, FOR_I "{ if (i < n) eff(1); if (i < n) C[i] = 2; }", FOR_I "if (i < n) { eff(1); C[i] = 2; }", {DEFAULTS}},
    {"merge_global_and_call", INTS ", int g_x", FOR_I "{ if (g_x < n) eff(1); if (g_x < n) eff(2); C[i] = 1; }", NULL, {DEFAULTS}},
    {"merge_global",
     INTS ", int g_x",
     FOR_I "{ C[i] = 1; if (g_x < i) C[i] = 2; if (g_x < i) C[i] = 3; }",
     FOR_I "{ C[i] = 1; if (g_x < i) { C[i] = 2; C[i] = 3; } }",
     {DEFAULTS}},
    {"merge_load_and_barrier",
     INTS ", int A[100]",
     FOR_I "{ C[i] = 1; if (A[i] < n) barrier_(); if (A[i] < n) C[i] = 2; }",
     NULL,
     {DEFAULTS}},
    {"merge_load_and_pointer",
     "int p_C[100], int p_A[100]",
     FOR_I "{ if (p_A[i] < 1) p_C[i] = 1; if (p_A[i] < 1) p_C[i] = 2; }",
     NULL,
     {DEFAULTS}},
    {"merge_load_and_restrict",
     "int p_C[100], int A[100]",
     FOR_I "{ if (A[i] < 1) p_C[i] = 1; if (A[i] < 1) p_C[i] = 2; }",
     FOR_I "if (A[i] < 1) { p_C[i] = 1; p_C[i] = 2; }",
     {DEFAULTS}},
    {"merge_impure", INTS, FOR_I "{ if (call(i)) C[i] = 1; if (call(i)) C[i] = 2; }", NULL, {DEFAULTS}},
    {"merge_opaque", INTS, "int c = n; " FOR_I "{ if (c < i) opaque_(c); if (c < i) C[i] = 2; }", NULL, {DEFAULTS}},

    /* Hoist-if. */
    {"unswitch", INTS, FOR_I "if (n < 3 && i < m) C[i] = 1;", "if (n < 3) " FOR_I "if (i < m) C[i] = 1;", {DEFAULTS}},
    {"no_unswitch",
     INTS,
     FOR_I "if (n < 3 && i < m) C[i] = 1;",
     "bool t0 = n < 3; " FOR_I "if (t0 && i < m) C[i] = 1;",
     {DEFAULTS, .no_unswitch = true}},
    {"unswitch_while",
     INTS,
     "for (int w_1 = 0; w_1 < (call(1)); w_1++) if (n < 3) C[1] = 1;",
     "bool t0 = n < 3; for (int w_1 = 0; w_1 < (call(1)); w_1++) if (t0) C[1] = 1;",
     {DEFAULTS}},
    {"unswitch_start",
     INTS,
     "for (int i = call(1); i < 3; i++) if (n < 3) C[i] = 1;",
     "bool t0 = n < 3; for (int i = call(1); i < 3; i++) if (t0) C[i] = 1;",
     {DEFAULTS}},

    /* Names. */
    {"moved_name",
     INTS,
     FOR_I "{ int x = n % 7; C[i] = x; } " FOR_J "{ int x = j % 5; C[j] = x; }",
     "int x_2 = n % 7; " FOR_I "{ C[i] = x_2; } " FOR_J "{ int x = j % 5; C[j] = x; }",
     {DEFAULTS}},
    {"copy_of_hidden", INTS, FOR_I "{ int x = n; if (i < 3) { int n = i % 3; C[n] = x; } }", NULL, {DEFAULTS}},
    {"copy_of_seen", INTS, FOR_I "{ int x = n; if (i < 3) C[n & 7] = x; } ", "int t0 = n & 7; " FOR_I "if (i < 3) C[t0] = n;", {DEFAULTS}},
    {"merged_names",
     INTS,
     "int x = call(2); " FOR_I "{ if (i < n) { int x = i % 3; C[x] = x; } if (i < n) C[i] = x; }",
     "int x = call(2); " FOR_I "{ if (i < n) { { int x = i % 3; C[x] = x; } C[i] = x; } }",
     {DEFAULTS}},
    {"opaque_keeps",
     INTS,
     FOR_I "{ int x = n % 7; opaque_(x); C[i] = x; }",
     "int t0 = n % 7; " FOR_I "{ int x = t0; opaque_(x); C[i] = x; }",
     {DEFAULTS}},
    {"opaque_changes", INTS, "int x = n; " FOR_I "{ opaque_(x); C[i] = x % 7; }", NULL, {DEFAULTS}},

    /* Loops that are no counted loops. */
    {"while_moves",
     INTS,
     "int c = 0; for (int w_1 = 0; w_1 < (c < n); w_1++) { " FOR_J "C[j] = c % 7; c += 1; }",
     "int c = 0; for (int w_1 = 0; w_1 < (c < n); w_1++) { int t0 = c % 7; " FOR_J "C[j] = t0; c += 1; }",
     {DEFAULTS}},
    {"start_is_changed",
     INTS,
     FOR_J "for (int s_i = n; s_i < 9; s_i++) { C[s_i % 7] = j % 7; step_(3); }",
     FOR_J "{ int t0 = j % 7; for (int s_i = n; s_i < 9; s_i++) { C[s_i % 7] = t0; step_(3); } }",
     {DEFAULTS}},

    /* Options. */
    {"no_float",
     INTS ", float D[100], float a",
     FOR_I "{ D[i] = a * 2.0f; C[i] = n % 7; }",
     "int t0 = n % 7; " FOR_I "{ D[i] = a * 2.0f; C[i] = t0; }",
     {DEFAULTS, .fp = FP_NONE}},
    {"no_float_compare", INTS ", float a", FOR_I "if (a < 1.0f) C[i] = 1;", NULL, {DEFAULTS, .fp = FP_NONE}},
    {"small_refined",
     INTS,
     FOR_I "for (int k = 0; k < 3; k++) C[i] = n % 7;",
     "int t0 = n % 7; " FOR_I "for (int k = 0; k < 3; k++) C[i] = t0;",
     {DEFAULTS, .unroll_limit = 4}},
    {"small_paper", INTS, FOR_I "for (int k = 0; k < 3; k++) C[i] = n % 7;", NULL, {DEFAULTS, .unroll_limit = 4, .small = SMALL_PAPER}},
    {"distribute",
     INTS,
     FOR_I FOR_J "C[(i - 1) * 32 + j] = 1;",
     FOR_I "{ int t0 = i * 32; " FOR_J "C[t0 + j - 32] = 1; }",
     {DEFAULTS, .distribute = true}},
    {"distribute_off",
     INTS,
     FOR_I FOR_J "C[(i - 1) * 32 + j] = 1;",
     FOR_I "{ int t0 = (i - 1) * 32; " FOR_J "C[t0 + j] = 1; }",
     {DEFAULTS}},
    {"distribute_one_rank",
     INTS ", unsigned u, unsigned w",
     FOR_I "C[((u + w) * 4u + (unsigned)i) % 7u] = 1;",
     "unsigned t0 = (u + w) * 4u; " FOR_I "C[(t0 + (unsigned)i) % 7u] = 1;",
     {DEFAULTS, .distribute = true}},
    {"distribute_alone", INTS, FOR_I FOR_J "C[((i + j) * 4) % 7] = 1;", NULL, {DEFAULTS, .distribute = true}},
};

static const char prelude[] = "static void break_(void) { }\nstatic void continue_(void) { }\nstatic void barrier_(void) { }\n"
                              "static void return_(void) { }\nstatic void opaque_(int x) { }\nstatic void step_(int x) { }\n"
                              "static int pure_(int x) { return x; }\nstatic int call(int x) { return x; }\nstatic void eff(int x) { }\n"
                              "static void pure_eff(int x) { }\n";

static Func *parse(Tree t, const Case *c, const char *body)
{
    const char *text = arena_printf(t.arena, "%svoid f(%s) { %s }\n", prelude, c->params, body);
    Func *f = kept_parse(t, c->name, text);
    assert_non_null(f);
    check_func(t.ir, f, TREE_INLINED, "parse");
    return f;
}

/* Notes: what became of each candidate. */

typedef struct Expected {
    const char *e;
    int from, to, cost;
    const char *rule;
} Expected;

static void expect_notes(const char *params, const char *body, LicmOptions opt, int n, const Expected *expected)
{
    Tree t = tree_new();
    Vec notes = {0};
    Func *f = parse(t, &(Case){.name = "notes", .params = params}, body);
    f->body = normalize(t.ir, f, f->body, &opt);
    opt.notes = &notes;
    licm(t.ir, f, f->body, &opt);
    for (int i = 0; i < notes.count || i < n; i++) {
        if (i == n || i == notes.count)
            fail_msg("%d notes, expected %d", notes.count, n);
        const LicmNote *note = notes.items[i];
        Text text;
        text_init(&text, t.arena);
        print_node(&text, note->e, 0);
        assert_string_equal(text.data, expected[i].e);
        assert_int_equal(note->from, expected[i].from);
        assert_int_equal(note->to, expected[i].to);
        assert_int_equal(note->cost, expected[i].cost);
        assert_string_equal(note->rule ? note->rule : "", expected[i].rule);
        assert_true((note->loop != NULL) == (note->to < note->from));
        assert_non_null(note->stmt);
    }
    arena_free(t.arena);
}

static void test_notes(void **state)
{
    (void)state;
    LicmOptions opt = {DEFAULTS};
    expect_notes(
        INTS, FOR_I FOR_J "{ C[j] = n % 7; C[i] = n % 7; if (i < 3) C[j] = n / m; }", opt, 4,
        (Expected[]){{"(mod n 7)", 2, 0, 3, ""}, {"(mod n 7)", 2, 0, -1, ""}, {"(lt i 3)", 2, 1, 1, ""}, {"(div n m)", 2, 2, -1, "traps"}});
    opt.threshold = 4;
    opt.unroll_limit = 4;
    expect_notes(INTS ", int A[100]", FOR_I "{ barrier_(); " FOR_J "C[j] = A[i] + (n % 7) * 3; }", opt, 3,
                 (Expected[]){{"(mul (mod n 7) 3)", 2, 1, 4, "barrier"},
                              {"A[i]", 2, 2, -1, "loads"},
                              {"(add (mul (mod n 7) 3) A[i])", 2, 2, -1, "loads"}});
    expect_notes(INTS, FOR_I "for (int k = 0; k < 3; k++) C[k] = i * 3 + (n % 7) * 2;", opt, 3,
                 (Expected[]){{"(mul (mod n 7) 2)", 2, 0, 4, ""},
                              {"(mul i 3)", 2, 2, -1, "small"},
                              {"(add (mul (mod n 7) 2) (mul i 3))", 2, 2, -1, "small"}});
    opt.overflow = OVERFLOW_KEEP;
    expect_notes(INTS, FOR_I "if (i < 3) C[i] = (n * 9) / 7;", opt, 2,
                 (Expected[]){{"(mul n 9)", 1, 1, -1, "overflow"}, {"(div (mul n 9) 7)", 1, 1, -1, "overflow"}});
}

/* Names of the file are not taken. */
static void test_reserved(void **state)
{
    (void)state;
    static const char *const reserved[] = {"t0", "x", "x_2", NULL};
    LicmOptions opt = {DEFAULTS};
    Tree t = tree_new();
    t.ir->reserved = reserved;
    const char *body = FOR_I "{ int x = n % 7; C[i] = x + m % 7; } " FOR_J "{ int x = j; x += n; C[x & 7] = 1; }";
    Func *f = parse(t, &(Case){.name = "reserved", .params = INTS}, body);
    f->body = licm(t.ir, f, normalize(t.ir, f, f->body, &opt), &opt);
    assert_string_equal(f->body->kid[0]->sym->name, "x_3");
    assert_string_equal(f->body->kid[1]->sym->name, "t1");
    arena_free(t.arena);
}

static void test_case(void **state)
{
    const Case *c = *state;
    Tree t = tree_new();
    Func *f = parse(t, c, c->before), *expected = parse(t, c, c->after ? c->after : c->before);
    f->body = normalize(t.ir, f, f->body, &c->opt);
    check_func(t.ir, f, TREE_INLINED, "normalize");
    assert_ptr_equal(normalize(t.ir, f, f->body, &c->opt), f->body);
    f->body = licm(t.ir, f, f->body, &c->opt);
    check_func(t.ir, f, TREE_INLINED, "licm");
    assert_ptr_equal(normalize(t.ir, f, f->body, &c->opt), f->body);
    assert_ptr_equal(licm(t.ir, f, f->body, &c->opt), f->body);
    if (!tree_equal(t, f, expected))
        fail_msg("%s:\n--- expected\n%s--- got\n%s", c->name, tree_text(t, expected), tree_text(t, f));
    arena_free(t.arena);
}

int main(void)
{
    enum { CASES = sizeof cases / sizeof *cases };
    struct CMUnitTest tests[CASES + 2] = {
        [CASES] = cmocka_unit_test(test_notes),
        [CASES + 1] = cmocka_unit_test(test_reserved),
    };
    for (size_t i = 0; i < CASES; i++)
        tests[i] = (struct CMUnitTest){.name = cases[i].name, .test_func = test_case, .initial_state = (void *)&cases[i]};
    return _cmocka_run_group_tests("kept", tests, CASES + 2, NULL, NULL);
}
