/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The planner on small specs: what is a contraction, how its loops fold, where its operands lie, what its
 * epilogue is; and what stays loops. Every tree that comes out goes through the verifier. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

#include "depend/depend.h"
#include "depend/env.h"
#include "depend/linear.h"
#include "depend/poly.h"
#include "fuse/inline_helpers.h"
#include "ir/simplify.h"
#include "gen/front/spec.h"
#include "ir/check.h"
#include "ir/print.h"
#include "plan/lower/lower.h"
#include "plan/split/operator.h"
#include "plan/plan.h"
#include "plan/targets.h"

typedef struct Case {
    Arena *arena;
    Ir *ir;
    Func *func;
    Plan *plan;
    PlanOptions opt;
} Case;

static Case parse(const char *spec)
{
    Case c = {.arena = arena_new()};
    size_t len = strlen(spec);
    c.ir = ir_new(c.arena, diag_new(c.arena, "test.spec", spec, len, stderr));
    Unit *unit = spec_parse(c.ir, "test.spec", spec, len);
    assert_non_null(unit);
    c.func = unit->funcs[0];
    inline_helpers(c.ir, c.func);
    c.func->body = simplify(c.ir, c.func->body);
    check_func(c.ir, c.func, TREE_INLINED, "simplify");
    return c;
}

static Case plan_with(const char *spec, PlanOptions opt)
{
    Case c = parse(spec);
    c.opt = opt;
    c.plan = plan_operator(c.ir, c.func, &c.opt);
    check_func(c.ir, c.func, TREE_INLINED, "plan");
    LinearMap map = {0};
    for (int i = 0; i < contraction_count(c.plan); i++) {
        Contraction *contraction = contraction_at(c.plan, i);
        (c.opt.cuda ? lower_device : lower_host)(c.ir, c.plan, contraction);
        for (int h = 0; h < HOOK_COUNT; h++) {
            Func *hook = contraction->lowered.hooks[h].func;
            if (!hook)
                continue;
            check_func(c.ir, hook, TREE_INLINED | TREE_PART, "lower");
            hook->body = simplify(c.ir, linearize(c.ir, &map, hook->body, false));
            check_func(c.ir, hook, TREE_INLINED | TREE_PART, "linearize");
        }
    }
    check_func(c.ir, c.func, TREE_INLINED, "lower");
    return c;
}

static Case plan_c(const char *spec) { return plan_with(spec, (PlanOptions){0}); }

static char *text_of(const Case *c, Node *n)
{
    Text t;
    text_init(&t, c->arena);
    print_node(&t, n, 0);
    return t.data;
}

/* "f32 m:i n:j k:k a b c store": loops by role; operands in place by name, others in brackets. */
static const char *summary(const Case *c, int which)
{
    static const char *const roles[] = {"b", "m", "n", "k"};
    static const char *const kinds[] = {"store", "accumulate", "general"};
    const Contraction *x = contraction_at(c->plan, which);
    Text t;
    text_init(&t, c->arena);
    text_puts(&t, family_name(x->family));
    for (int i = 0; i < x->ndims; i++)
        text_printf(&t, " %s:%s", roles[x->dims[i].role], x->dims[i].var->name);
    text_printf(&t, x->a.in_place ? " a" : " (a)");
    text_printf(&t, x->b.in_place ? " b" : " (b)");
    text_printf(&t, x->c.in_place ? " c" : " (c)");
    text_printf(&t, " %s%s%s", kinds[x->kind], x->partial_in_c ? " partial_in_c" : "", x->first_beta ? " first_beta" : "");
    return t.data;
}

static void expect(const char *spec, const char *expected)
{
    Case c = plan_c(spec);
    assert_int_equal(contraction_count(c.plan), 1);
    assert_string_equal(summary(&c, 0), expected);
    arena_free(c.arena);
}

static void expect_loops(const char *spec)
{
    Case c = plan_c(spec);
    assert_int_equal(contraction_count(c.plan), 0);
    arena_free(c.arena);
}

#define FOR(i, n)       "for (int " #i " = 0; " #i " < " #n "; " #i "++) "
#define DOT(type, term) "{ " type " sum = 0; " FOR(k, K) "sum += " term ";"
#define PARAMS          "int M, int N, int K, const float A[M][K], const float B[K][N], float C[M][N]"

/* ---------------------------------------------------------------- scalar accumulators */

static void test_plain(void **state)
{
    (void)state;
    Case c = plan_c("void f(" PARAMS ") {" FOR(i, M) FOR(j, N) DOT("float", "A[i][k] * B[k][j]") "C[i][j] = sum; } }");
    assert_string_equal(summary(&c, 0), "f32 m:i n:j k:k a b c store");
    const Contraction *x = contraction_at(c.plan, 0);
    assert_string_equal(text_of(&c, x->a.stride[R_M]), "index:(cast K)");
    assert_string_equal(text_of(&c, x->a.stride[R_K]), "index:1");
    assert_string_equal(text_of(&c, x->b.stride[R_K]), "index:(cast N)");
    assert_string_equal(text_of(&c, x->c.stride[R_N]), "index:1");
    assert_string_equal(text_of(&c, x->extent[R_M]), "index:(cast M)");
    assert_string_equal(text_of(&c, x->extent[R_BATCH]), "index:1");
    assert_string_equal(x->stem, "f");
    assert_true(x->a.strided && x->b.strided && x->dots == FAM_COUNT);
    assert_null(x->lowered.hooks[HOOK_PACK_A].func);
    assert_null(x->lowered.hooks[HOOK_EPILOGUE].func);
    assert_true(c.plan->callers[3].reads && !c.plan->callers[3].writes);
    assert_true(c.plan->callers[5].writes && !c.plan->callers[5].reads);
    arena_free(c.arena);
}

static void test_any_loop_order_and_transposes(void **state)
{
    (void)state;
    /* The output's unit stride is n, whatever the product's order. */
    expect("void f(int M, int N, int K, int lda, const float A[K][lda], const float B[N][K], float C[M][N]) {" FOR(j, N) FOR(i, M)
               DOT("float", "B[j][k] * A[k][i]") "C[i][j] = sum; } }",
           "f32 m:i n:j k:k a b c store");
    expect("void f(int M, int N, int K, const float A[M][K], const float B[K][N], float C[N][M]) {" FOR(i, M) FOR(j, N)
               DOT("float", "A[i][k] * B[k][j]") "C[j][i] = sum; } }",
           "f32 m:j n:i k:k a b c store");
}

static void test_flat_arrays(void **state)
{
    (void)state;
    Case c = plan_c("void f(int M, int N, int K, const float A[M * K], const float B[K * N], float C[M * N]) {" FOR(i, M) FOR(j, N)
                        DOT("float", "A[i * K + k] * B[k * N + j]") "C[i * N + j] = sum; } }");
    assert_string_equal(summary(&c, 0), "f32 m:i n:j k:k a b c store");
    assert_string_equal(text_of(&c, contraction_at(c.plan, 0)->c.stride[R_M]), "index:(cast N)");
    /* No array has the extent M, so nobody has checked that it is not negative. */
    assert_string_equal(text_of(&c, contraction_at(c.plan, 0)->extent[R_M]), "index:(max index:(cast M) index:0)");
    arena_free(c.arena);
}

static void test_batch_and_folding(void **state)
{
    (void)state;
    expect("void f(int B, int M, int N, int K, const float X[B][M][K], const float Y[B][K][N], float "
           "Z[B][M][N]) {" FOR(b, B) FOR(i, M) FOR(j, N) DOT("float", "X[b][i][k] * Y[b][k][j]") "Z[b][i][j] = sum; } }",
           "f32 b:b m:i n:j k:k a b c store");
    expect("void f(int B, int M, int N, int K, const float X[B][M][K], const float Y[K][N], float Z[B][M][N]) "
           "{" FOR(b, B) FOR(i, M) FOR(j, N) DOT("float", "X[b][i][k] * Y[k][j]") "Z[b][i][j] = sum; } }",
           "f32 m:b m:i n:j k:k a b c store");
    /* Rows that do not follow one another make a batch. */
    expect("void f(int B, int M, int N, int K, const float X[B][M + 1][K], const float Y[K][N], float "
           "Z[B][M][N]) {" FOR(b, B) FOR(i, M) FOR(j, N) DOT("float", "X[b][i][k] * Y[k][j]") "Z[b][i][j] = sum; } }",
           "f32 b:b m:i n:j k:k a b c store");
}

static void test_alpha_beta(void **state)
{
    (void)state;
    Case c = plan_c("void f(float alpha, float beta, " PARAMS ") {" FOR(i, M) FOR(j, N)
                        DOT("float", "alpha * A[i][k] * B[k][j]") "C[i][j] = sum + beta * C[i][j]; } }");
    assert_string_equal(summary(&c, 0), "f32 m:i n:j k:k a b c general first_beta");
    assert_string_equal(text_of(&c, contraction_at(c.plan, 0)->more), "float:(mul alpha sum)");
    assert_non_null(contraction_at(c.plan, 0)->lowered.hooks[HOOK_MORE].func);
    arena_free(c.arena);
}

static void test_epilogues(void **state)
{
    (void)state;
    expect("#include <math.h>\nstatic float gelu(float x) { return 0.5f * x * (1.0f + erff(x * 0.7f)); }\n"
           "void f(const int N0, " PARAMS ") {" FOR(i, M) FOR(j, N) DOT("float", "A[i][k] * B[k][j]") "C[i][j] = gelu(sum); } }",
           "f32 m:i n:j k:k a b c general partial_in_c");
    expect("void f(" PARAMS ") {" FOR(i, M) FOR(j, N) DOT("float", "A[i][k] * B[k][j]") "if (sum > 0) C[i][j] = sum; } }",
           "f32 m:i n:j k:k a b c general");
    expect("void f(" PARAMS ") {" FOR(i, M) FOR(j, N) DOT("float", "A[i][k] * B[k][j]") "C[i][j] += sum; } }",
           "f32 m:i n:j k:k a b c accumulate");
    /* The nest after it only changes the output, element by element. */
    expect("void f(const float b[1], " PARAMS ") {" FOR(i, M) FOR(j, N) DOT("float", "A[i][k] * B[k][j]") "C[i][j] = sum; }" FOR(i, M)
               FOR(j, N) "C[i][j] = C[i][j] * b[0]; }",
           "f32 m:i n:j k:k a b c general partial_in_c");
}

/* ---------------------------------------------------------------- the output as the accumulator */

static void test_in_place_orders(void **state)
{
    (void)state;
    expect("void f(" PARAMS ") {" FOR(k, K) FOR(i, M) FOR(j, N) "C[i][j] = A[i][k] * B[k][j] + C[i][j]; }",
           "f32 m:i n:j k:k a b c accumulate");
    expect("void f(" PARAMS ") {" FOR(i, M) FOR(j, N) "{ C[i][j] = 0; " FOR(k, K) "C[i][j] += A[i][k] * B[k][j]; } }",
           "f32 m:i n:j k:k a b c store");
    expect("void f(" PARAMS ") {" FOR(i, M) FOR(j, N) "C[i][j] = 0;" FOR(i, M) FOR(k, K) FOR(j, N) "C[i][j] += A[i][k] * B[k][j]; }",
           "f32 m:i n:j k:k a b c store");
}

static void test_polybench_gemm(void **state)
{
    (void)state;
    Case c = plan_c("void f(double alpha, double beta, int M, int N, int K, const double A[M][K], const double B[K][N], "
                    "double C[M][N]) { int i, j, k; for (i = 0; i < M; i++) { for (j = 0; j < N; j++) C[i][j] *= beta; "
                    "for (k = 0; k < K; k++) for (j = 0; j < N; j++) C[i][j] += alpha * A[i][k] * B[k][j]; } }");
    assert_string_equal(summary(&c, 0), "f64 m:i n:j k:k a b c general first_beta");
    assert_string_equal(text_of(&c, c.func->body), "contract #0 into C\n");
    arena_free(c.arena);
}

/* ---------------------------------------------------------------- convolutions */

#define CONV \
    "int N, int H, int W, int C, int K, int R, int S, int pad, const float x[N][H][W][C], " \
    "const float w[R][S][C][K], float y[N][H][W][K]"

static void test_convolution(void **state)
{
    (void)state;
    expect("void f(" CONV ") {" FOR(n, N) FOR(p, H) FOR(q, W) FOR(k, K) "{ float sum = 0; " FOR(r, R) FOR(s, S)
               FOR(c, C) "{ int h = p + r - pad; int v = q + s - pad;"
                         "float a = h >= 0 && h < H && v >= 0 && v < W ? x[n][h][v][c] : 0.0f; sum += a * "
                         "w[r][s][c][k]; }"
                         "y[n][p][q][k] = sum; } }",
           "f32 m:n m:p m:q n:k k:r k:s k:c (a) b c store");
    expect("void f(" CONV ") {" FOR(n, N) FOR(p, H) FOR(q, W)
               FOR(k, K) "{ float sum = 0; " FOR(r, R) "{ int h = p + r - pad; if (h >= 0 && h < H) " FOR(
                   s, S) "{ int v = q + s - pad; if (v >= 0 && v < W) " FOR(c, C) "sum += x[n][h][v][c] * "
                                                                                  "w[r][s][c][k]; } } "
                                                                                  "y[n][p][q][k] = sum; } }",
           "f32 m:n m:p m:q n:k k:r k:s k:c (a) b c store");
    /* Channels first: an image is a batch, so that the output has one stride. */
    expect("void f(int N, int H, int W, int C, int K, const float x[N][C][H][W], const float w[K][C], float "
           "y[N][K][H][W]) {" FOR(n, N) FOR(k, K) FOR(p, H) FOR(q, W) "{ float sum = 0; " FOR(c, C) "sum += x[n][c][p][q] * w[k][c];"
                                                                                                    "y[n][k][p][q] = sum; } }",
           "f32 b:n m:k n:p n:q k:c a b c store");
}

/* ---------------------------------------------------------------- loops taken apart by division */

static void expect_if(const char *spec, const char *expected, const char *condition)
{
    Case c = plan_c(spec);
    assert_string_equal(summary(&c, 0), expected);
    const Contraction *x = contraction_at(c.plan, 0);
    assert_string_equal(x->applies.condition && !x->applies.leaves_small ? text_of(&c, x->applies.condition) : "", condition);
    assert_int_equal(x->applies.condition != NULL, ((Node *)c.func->body->kid[0])->kind == N_IF);
    arena_free(c.arena);
}

#define GROUPED(group, channel) \
    "void f(int N, int C, int F, int L, int groups, const float x[N][C][L], const float w[F][C / groups], float y[N][F]" \
    "[L]) {" FOR(n, N) FOR(f, F) FOR(l, L) "{ float s = 0; " group \
    FOR(c, C / groups) "s += x[n][" channel "][l] * w[f][c]; y[n][f][l] = s; } }"
#define GROUPS "(land (gt index:(cast (div F groups)) index:0) (eq index:(mod index:(cast F) index:(cast (div F groups))) index:0))"

static void test_digits(void **state)
{
    (void)state;
    /* f / D in one operand, f in the other and in the output: a batch of groups. */
    static const char grouped[] = "f32 b:n b:f_div m:f_mod n:l k:c a b c store";
    expect_if(GROUPED("", "f / (F / groups) * (C / groups) + c"), grouped, GROUPS);
    expect_if(GROUPED("int g = f / (F / groups);", "g * (C / groups) + c"), grouped, GROUPS);
    /* One loop over C * M needs no condition where the entry point has seen M >= 0; over P it needs one. */
    expect_if("void f(int C, int M, int K, int L, const float x[C][K][L], const float w[C][M][K], float y[C * M][L]) {" FOR(f, C * M)
                  FOR(l, L) DOT("float", "x[f / M][k][l] * w[f / M][f % M][k]") "y[f][l] = sum; } }",
              "f32 b:f_div m:f_mod n:l k:k a b c store", "");
    expect_if("void f(int P, int M, int K, int L, const float x[P][K][L], const float w[P][K], float y[P][L]) {" FOR(f, P) FOR(l, L)
                  DOT("float", "x[f / 4][k][l] * w[f][k]") "y[f][l] = sum; } }",
              "f32 b:f_div m:f_mod n:l k:k a b c store", "(eq index:(mod index:(cast P) index:4) index:0)");
    /* Three digits, of a reduction: the innermost divisor divides the others. */
    expect_if("void f(int M, int N, int P, int Q, int R, const float x[P][M][Q][R], const float w[P * Q * R][N], float y[M][N]) "
              "{" FOR(i, M)
                  FOR(j, N) "{ float s = 0; " FOR(t, P * Q * R) "s += x[t / (Q * R)][i][t / R % Q][t % R] * w[t][j]; y[i][j] = s; } }",
              "f32 m:i n:j k:t_div_div k:t_div_mod k:t_mod (a) b c store",
              "(land (lor (lor (ge index:(cast N) index:10) (ge index:(mul index:(cast R) index:(cast Q)) index:10)) (ge index:(mul "
              "index:(cast N) index:(mul index:(cast R) index:(cast Q))) index:10)) (lor (lor (ge index:(cast M) index:64) (ge "
              "index:(cast N) index:64)) (ge index:(mul index:(cast M) index:(cast N)) index:64)))");
}

static void test_digits_that_stay(void **state)
{
    (void)state;
    /* i % S moves neither operand: the sums would be computed S times. */
    expect_if("void f(int M, int N, int K, int S, const float A[M][K], const float B[K][N], float C[M][N]) {" FOR(i, M) FOR(j, N)
                  DOT("float", "A[i / S][k] * B[k][j]") "C[i][j] = sum; } }",
              "f32 m:i n:j k:k (a) b c store", "");
    /* A divisor from memory may be another one every time, and so is one that is a loop's. */
    expect("void f(int C, int K, int L, const int d[1], const float x[C][K][L], const float w[C][K], float y[C][L]) {" FOR(f, C) FOR(l, L)
               DOT("float", "x[f / d[0]][k][l] * w[f][k]") "y[f][l] = sum; } }",
           "f32 n:l k:k a b c store");
    expect_loops("void f(int C, int K, int L, const float x[C][K][L], const float w[C][K], float y[C][L]) {" FOR(f, C) FOR(l, L)
                     DOT("float", "x[f / (l + 1)][k][l] * w[f][k]") "y[f][l] = sum; } }");
}

/* Rows of an image that one line of weights multiplies are packed only where they are long; what has no regular rows never. */
static void test_depthwise(void **state)
{
    (void)state;
#define DEPTHWISE(column) \
    "void f(int C, int H, int W, int K, const float x[C][H][W], const float w[C][K], float y[C][H][W]) {" FOR(c, C) FOR(i, H) FOR(j, W) \
        DOT("float", "(j + k < W ? x[c][i][" column "] : 0) * w[c][k]") "y[c][i][j] = sum; } }"
    expect_loops(DEPTHWISE("j + k")); /* what would be gathered serves once */
    expect_loops(DEPTHWISE("(j + k) ^ 1"));
}

/* A handful of multiplications stays with the loops, but for a plain product, which has a short cut. */
static void test_small(void **state)
{
    (void)state;
#define PRODUCT(extent, result) \
    "void f(int B, int M, int N, const float x[B][M][" extent "], const float w[" extent "][N], float y[B][M][N]) {" FOR(b, B) FOR(i, M) \
        FOR(j, N) "{ float sum = 0; for (int k = 0; k < " extent "; k++) sum += x[b][i][k] * w[k][j]; " \
                  "y[b][i][j] = " result "; } }"
#define ROWS "index:(mul index:(cast B) index:(cast M))"
    static const struct {
        const char *spec, *condition;
    } cases[] = {
        {PRODUCT("5", "2 * sum"), "(lor (lor (lor (ge " ROWS " index:64) (ge index:(cast N) index:64)) (ge index:(mul " ROWS
                                  " index:(cast N)) index:64)) (ge index:(mul index:(mul " ROWS " index:(cast N)) index:5) index:64))"},
        {PRODUCT("64", "2 * sum"), ""},
        {PRODUCT("5", "sum"), ""},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        Case c = plan_c(cases[i].spec);
        const Contraction *x = contraction_at(c.plan, 0);
        assert_string_equal(x->applies.condition ? text_of(&c, x->applies.condition) : "", cases[i].condition);
        assert_int_equal(x->applies.leaves_small, x->applies.condition != NULL);
        arena_free(c.arena);
    }
}

/* Images innermost: rows and columns could be batches, so that the output has one stride, but then each of them would have a
 * padding of its own, and one image would be all columns. */
static void test_padding_is_no_batch(void **state)
{
    (void)state;
    expect("void f(int N, int H, int W, int C, int F, const float x[H][W][C][N], const float w[3][3][C][F], float y[H][W][F][N]) "
           "{" FOR(i, H) FOR(j, W) FOR(f, F) FOR(n, N) "{ float sum = 0; " FOR(p, 3) FOR(q, 3)
               FOR(c, C) "{ int h = i + p - 1, v = j + q - 1; bool inside = h >= 0 && h < H && v >= 0 && v < W;"
                         "sum += (inside ? x[h][v][c][n] : 0.0f) * w[p][q][c][f]; } y[i][j][f][n] = sum; } }",
           "f32 m:f n:i n:j n:n k:p k:q k:c a (b) (c) general");
}

static void test_guard_needs_safe_loads(void **state)
{
    (void)state;
    /* B is only as long as the guard lets one read: without it the loads would leave the array. So the guard
     * would stay on both operands, and the loop that it depends on outside: a row at a time, which loops do as well. */
    expect_loops("void f(int M, int N, int K, int L, const float A[M][L], const float B[L][N], float C[M][N]) {" FOR(i, M)
                     FOR(j, N) "{ float sum = 0; " FOR(k, K) "if (k < L - i) sum += A[i][k] * B[k][j]; C[i][j] = sum; } }");
    /* With B as long as the loop the guard goes to A alone. */
    expect("void f(" PARAMS ") {" FOR(i, M)
               FOR(j, N) "{ float sum = 0; " FOR(k, K) "if (k < K - i) sum += A[i][k] * B[k][j]; C[i][j] = sum; } }",
           "f32 m:i n:j k:k (a) b c store");
    /* A condition of k alone goes to both operands. */
    expect("void f(int M, int N, int K, int L, const float A[M][L], const float B[L][N], float C[M][N]) {" FOR(i, M)
               FOR(j, N) "{ float sum = 0; " FOR(k, K) "if (k < L) sum += A[i][k] * B[k][j]; C[i][j] = sum; } }",
           "f32 m:i n:j k:k (a) (b) c store");
}

/* ---------------------------------------------------------------- types */

static void test_types(void **state)
{
    (void)state;
    const char *half = "void f(int M, int N, int K, const half A[M][K], const half B[K][N], half C[M][N]) {" FOR(i, M) FOR(j, N)
        DOT("float", "(float)A[i][k] * (float)B[k][j]") "C[i][j] = (half)sum; } }";
    expect(half, "f32 m:i n:j k:k (a) (b) (c) general");
    Case c = plan_with(half, (PlanOptions){.cuda = true});
    assert_string_equal(summary(&c, 0), "f16 m:i n:j k:k a b (c) general");
    assert_int_equal(contraction_at(c.plan, 0)->elem, T_HALF);
    assert_non_null(contraction_at(c.plan, 0)->lowered.hooks[HOOK_VALUE_A].func);
    assert_non_null(contraction_at(c.plan, 0)->lowered.hooks[HOOK_POINT].func);
    arena_free(c.arena);
    expect("void f(int M, int N, int K, const uint8_t A[M][K], const int8_t B[K][N], int32_t C[M][N]) {" FOR(i, M) FOR(j, N)
               DOT("int32_t", "A[i][k] * B[k][j]") "C[i][j] = sum; } }",
           "i8 m:i n:j k:k (a) (b) c store");
    expect("void f(int M, int N, int K, const float A[M][K], const double B[K][N], float C[M][N]) {" FOR(i, M) FOR(j, N)
               DOT("double", "A[i][k] * B[k][j]") "C[i][j] = (float)sum; } }",
           "f64 m:i n:j k:k (a) b (c) general");
    expect("void f(int M, int N, int K, const int A[M][K], const int B[K][N], int C[M][N]) {" FOR(i, M) FOR(j, N)
               DOT("int", "A[i][k] * B[k][j]") "C[i][j] = sum; } }",
           "i32 m:i n:j k:k a b c store");
    expect("void f(int M, int N, int K, const int A[M][K], const uint32_t B[K][N], uint32_t C[M][N]) {" FOR(i, M) FOR(j, N)
               DOT("uint32_t", "A[i][k] * B[k][j]") "C[i][j] = 3 * sum + C[i][j]; } }",
           "i32 m:i n:j k:k a b c general first_beta");
    /* Of an int a part may leave the range. */
    expect("void f(int M, int N, int K, const int A[M][K], const int B[K][N], int C[M][N]) {" FOR(i, M) FOR(j, N)
               DOT("int", "A[i][k] * B[k][j]") "C[i][j] = 3 * sum + C[i][j]; } }",
           "i32 m:i n:j k:k a b c general");
    expect("void f(int M, int N, int K, const int8_t A[M][K], const int B[K][N], int C[M][N]) {" FOR(i, M) FOR(j, N)
               DOT("int", "A[i][k] * B[k][j]") "C[i][j] = sum; } }",
           "i32 m:i n:j k:k (a) b c store");
    /* Sums that round to half, products that round to float: no kernels. */
    expect_loops("void f(int M, int N, int K, const half A[M][K], const half B[K][N], half C[M][N]) {" FOR(i, M) FOR(j, N)
                     DOT("half", "A[i][k] * B[k][j]") "C[i][j] = sum; } }");
    expect_loops("void f(int M, int N, int K, const float A[M][K], const float B[K][N], double C[M][N]) {" FOR(i, M) FOR(j, N)
                     DOT("double", "(double)(A[i][k] * B[k][j])") "C[i][j] = sum; } }");
}

/* Which family of dot-product instructions also computes it, how operands reach bytes in its ranges, and what packs them. */
static void test_narrow(void **state)
{
    (void)state;
    static const struct {
        const char *a, *b, *sum, *term;
        Family dots;
        int plus_a, plus_b;
        bool strided_a;
    } cases[] = {
        {"half", "half", "float", "(float)A[i][k] * (float)B[k][j]", FAM_COUNT, 0, 0, true},
        {"bf16", "bf16", "float", "(float)A[i][k] * (float)B[k][j]", FAM_BF16, 0, 0, true},
        {"bf16", "float", "float", "(float)A[i][k] * B[k][j]", FAM_COUNT, 0, 0, true},
        {"bf16", "bf16", "float", "(i > k ? (float)A[i][k] : 0) * (float)B[k][j]", FAM_BF16, 0, 0, false},
        {"uint8_t", "int8_t", "int", "A[i][k] * B[k][j]", FAM_U8S8, 0, 0, true},
        {"int8_t", "int8_t", "int", "A[i][k] * B[k][j]", FAM_U8S8, 128, 0, true},
        {"int8_t", "uint8_t", "int", "A[i][k] * B[k][j]", FAM_U8S8, 128, -128, true},
        {"uint8_t", "uint8_t", "int", "(A[i][k] - 128) * (B[k][j] - 128)", FAM_U8S8, 128, 0, true},
        {"uint8_t", "int8_t", "int", "(A[i][k] - 3) * B[k][j]", FAM_COUNT, 0, 0, true},
        {"int16_t", "int8_t", "int", "A[i][k] * B[k][j]", FAM_COUNT, 0, 0, true},
        {"int8_t", "int8_t", "int", "(i > k ? A[i][k] : 0) * B[k][j]", FAM_U8S8, 128, 0, false},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        char spec[500];
        snprintf(spec, sizeof spec,
                 "void f(int M, int N, int K, const %s A[M][K], const %s B[K][N], %s C[M][N]) {" FOR(i, M) FOR(j, N)
                     DOT("%s", "%s") "C[i][j] = sum; } }",
                 cases[i].a, cases[i].b, cases[i].sum, cases[i].sum, cases[i].term);
        Case c = plan_c(spec);
        assert_int_equal(contraction_count(c.plan), 1);
        const Contraction *x = contraction_at(c.plan, 0);
        assert_int_equal(x->dots, cases[i].dots);
        assert_int_equal(x->a.dots_plus, cases[i].plus_a);
        assert_int_equal(x->b.dots_plus, cases[i].plus_b);
        assert_int_equal(x->a.strided, cases[i].strided_a);
        assert_int_equal(x->lowered.hooks[HOOK_PACK_A].func == NULL, cases[i].strided_a);
        assert_false(x->a.in_place);
        arena_free(c.arena);
    }
}

static void test_strict(void **state)
{
    (void)state;
    const char *spec = "void f(" PARAMS ") {" FOR(i, M) FOR(j, N) DOT("float", "A[i][k] * B[k][j]") "C[i][j] = sum; } }";
    Case c = plan_with(spec, (PlanOptions){.fp_strict = true});
    assert_int_equal(contraction_count(c.plan), 0);
    arena_free(c.arena);
}

/* ---------------------------------------------------------------- several of them, and around them */

static void test_sequence_with_intermediate(void **state)
{
    (void)state;
    Case c = plan_c("void f(int M, int N, int K, int L, const float A[M][K], const float B[K][N], const float D[N][L], "
                    "float C[M][L]) { float t[M][N]; float s; int i, j, k;"
                    "for (i = 0; i < M; i++) for (j = 0; j < N; j++) { s = 0; for (k = 0; k < K; k++) s += A[i][k] * "
                    "B[k][j];"
                    " t[i][j] = s; }"
                    "for (i = 0; i < M; i++) for (j = 0; j < L; j++) { s = 0; for (k = 0; k < N; k++) s += t[i][k] * "
                    "D[k][j];"
                    " C[i][j] = s; } }");
    assert_int_equal(contraction_count(c.plan), 2);
    assert_string_equal(summary(&c, 0), "f32 m:i n:j k:k a b c store");
    assert_string_equal(summary(&c, 1), "f32 m:i n:j k:k a b c store");
    assert_string_equal(contraction_at(c.plan, 1)->stem, "f_s2");
    assert_string_equal(text_of(&c, c.func->body), "contract #0 into t\ncontract #1 into C\n");
    assert_int_equal(c.plan->ntemporaries, 1);
    assert_string_equal(text_of(&c, c.plan->temporaries[0].elements), "index:(mul index:(cast M) index:(cast N))");
    arena_free(c.arena);
}

static void test_time_steps(void **state)
{
    (void)state;
    Case c = plan_c("void f(int T, int M, int N, const float W[N][N], float h[T + 1][M][N]) {" FOR(t, T) FOR(i, M)
                        FOR(j, N) "{ float sum = 0; " FOR(k, N) "sum += h[t][i][k] * W[k][j]; h[t + 1][i][j] = sum; } }");
    assert_int_equal(contraction_count(c.plan), 1);
    assert_string_equal(summary(&c, 0), "f32 m:i n:j k:k a b c store");
    assert_int_equal(contraction_at(c.plan, 0)->ncaptured, 1);
    assert_string_equal(contraction_at(c.plan, 0)->captured[0]->name, "t");
    assert_int_equal(c.func->body->kid[0]->kind, N_FOR);
    arena_free(c.arena);
}

static void test_refusals(void **state)
{
    (void)state;
    expect_loops("void f(int N, int K, const float A[N][K], const float B[N][K], float c[N]) {" FOR(i, N)
                     DOT("float", "A[i][k] * B[i][k]") "c[i] = sum; } }"); /* a dot product per element */
    expect_loops("void f(int N, float A[N][N], const float B[N][N]) {" FOR(i, N) FOR(j, N)
                     FOR(k, N) "A[i][j] += A[i][k] * B[k][j]; }"); /* reads what it writes */
    expect_loops("void f(int P, int R, int C, const float x[P + R][C], const float w[R][C], float y[P][C]) {" FOR(p, P)
                     FOR(c, C) "{ float sum = 0; " FOR(r, R) "sum += x[p + r][c] * w[r][c]; y[p][c] = sum; } }"); /* depthwise */
    expect_loops("void f(const float A[3][3], const float B[3][3], float C[3][3]) {" FOR(i, 3)
                     FOR(j, 3) "{ float sum = 0; " FOR(k, 3) "sum += A[i][k] * B[k][j]; C[i][j] = sum; } }"); /* tiny */
    expect_loops("void f(" PARAMS ", float last[1]) { float sum = 0; " FOR(i, M) FOR(j, N) "{ sum = 0; " FOR(
        k, K) "sum += A[i][k] * B[k][j]; C[i][j] = sum; } last[0] = sum; }"); /* the sum lives on */
    expect_loops("void f(" PARAMS ") {" FOR(i, M) FOR(j, N) "{ float sum = 0; " FOR(
        k, K) "{ sum += A[i][k] * B[k][j]; sum += A[i][k]; } C[i][j] = sum; } }"); /* two products */
}

/* ---------------------------------------------------------------- the parts */

static void test_poly(void **state)
{
    (void)state;
    Case c = parse("void f(int a, int b, unsigned u, float y[a]) { y[a * (b + 1) - a] = 0; y[b * a] = 0; y[(u "
                   "+ 1u) * 2u] = 0; }");
    Node *const *stmt = c.func->body->kid;
    Poly *p = poly_of(c.ir, stmt[0]->kid[0]), *q = poly_of(c.ir, stmt[1]->kid[0]);
    assert_true(poly_equal(p, q));
    assert_string_equal(text_of(&c, poly_node(c.ir, p)), "index:(mul index:(cast a) index:(cast b))");
    /* 32-bit unsigned arithmetic may wrap: one opaque atom. */
    assert_int_equal(poly_of(c.ir, stmt[2]->kid[0])->nterms, 1);
    Poly *coef, *rest;
    assert_true(poly_affine(c.ir, p, &c.func->params[0], 1, &coef, &rest));
    assert_true(poly_equal(coef, poly_of(c.ir, mk_var(c.ir, c.func->params[1]))));
    assert_int_equal(rest->nterms, 0);
    arena_free(c.arena);
}

static void test_dependence(void **state)
{
    (void)state;
    Case c = parse("void f(int N, float x[N][N], float y[N][N]) {" FOR(i, N) "{" FOR(j, N) "x[i][j] = 1;" FOR(
        j, N) "y[i][j] = x[i][j] + 1;" FOR(j, N) "x[j][i] = y[i][j]; } }");
    Node *loop = c.func->body->kid[0], *body = loop->kid[2];
    assert_false(carries_dependence(c.ir, loop, body->kid[0], body->kid[1], NULL));
    assert_true(carries_dependence(c.ir, loop, body->kid[1], body->kid[2], NULL));
    assert_false(shares_scalar(c.ir, body->kid[0], body->kid[1]));
    arena_free(c.arena);
}

static void test_linearize(void **state)
{
    (void)state;
    Case c = parse("void f(int N, int M, float x[N][M], float y[N * M]) { x[N - 1][0] = y[N]; }");
    LinearMap map = {0};
    Node *body = linearize(c.ir, &map, c.func->body, false);
    assert_string_equal(text_of(&c, body), "x[index:(mul index:(sub index:(cast N) index:1) index:(cast M))] = y[index:(cast N)]\n");
    assert_ptr_equal(body->kid[0]->sym, linear_sym(c.ir, &map, c.func->params[2]));
    arena_free(c.arena);

    Case d = parse("void f(int N, int M, int K, float x[N][M][K], int i) { x[i][1][2] = x[1][i][i]; }");
    LinearMap flat = {0};
    assert_string_equal(
        text_of(&d, linearize(d.ir, &flat, d.func->body, true)),
        "x[index:(add index:(mul index:(cast i) index:(mul index:(cast M) index:(cast K))) index:(add index:(cast K) index:2))] = "
        "x[index:(add index:(mul index:(cast M) index:(cast K)) "
        "index:(add index:(mul index:(cast i) index:(cast K)) index:(cast i)))]\n");
    arena_free(d.arena);
}

static void check_simplified(const char *body, const char *expected)
{
    Arena *arena = arena_new();
    const char *spec = arena_printf(arena, "void f(int a, unsigned u, float x, int y[9], float z[9]) { %s y[8] = 0; }", body);
    Case c = parse(spec);
    assert_string_equal(text_of(&c, c.func->body), arena_printf(c.arena, "%sy[8] = 0\n", expected));
    assert_ptr_equal(simplify(c.ir, c.func->body), c.func->body);
    arena_free(c.arena);
    arena_free(arena);
}

static void test_simplify(void **state)
{
    (void)state;
    check_simplified("y[0 * a + 1] = a * 1 + 0;", "y[1] = a\n");
    check_simplified("y[0] = 2147483647 + 1;", "y[0] = (add 2147483647 1)\n"); /* would overflow */
    check_simplified("y[0] = 4294967295u + 2u == 1u;", "y[0] = 1\n");
    check_simplified("z[0] = x * 1.0f + 0.0f;", "z[0] = float:(add float:(mul x float:0x8p-3) float:0x0p+0)\n");
    check_simplified("if (0 < 1) { y[0] = 1; } else { y[1] = 2; }", "y[0] = 1\n");
    check_simplified("for (int i = 0; i < a; i++) { } if (a) { }", "");
    check_simplified("for (int i = 3; i < 3; i++) y[i] = 1;", "");
    check_simplified("y[0] = (int)(long)a;", "y[0] = a\n");
    check_simplified("y[0] = (int)(short)a;", "y[0] = (cast short:(cast a))\n"); /* drops bits */
    check_simplified("z[0] = 2; z[1] = (float)0.5;", "z[0] = float:0x8p-2\nz[1] = float:0x8p-4\n");
    check_simplified("y[0] = !(a < 3) ? 1 : 0;", "y[0] = (sel (ge a 3) 1 0)\n");
    check_simplified("y[0] = !(x < 3.0f) ? 1 : 0;", "y[0] = (sel (lnot (lt x float:0xcp-2)) 1 0)\n"); /* NaN */
    check_simplified("y[0] += 0;", "y[0] = y[0]\n");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_plain),
        cmocka_unit_test(test_any_loop_order_and_transposes),
        cmocka_unit_test(test_flat_arrays),
        cmocka_unit_test(test_batch_and_folding),
        cmocka_unit_test(test_alpha_beta),
        cmocka_unit_test(test_epilogues),
        cmocka_unit_test(test_in_place_orders),
        cmocka_unit_test(test_polybench_gemm),
        cmocka_unit_test(test_convolution),
        cmocka_unit_test(test_digits),
        cmocka_unit_test(test_digits_that_stay),
        cmocka_unit_test(test_depthwise),
        cmocka_unit_test(test_small),
        cmocka_unit_test(test_padding_is_no_batch),
        cmocka_unit_test(test_guard_needs_safe_loads),
        cmocka_unit_test(test_types),
        cmocka_unit_test(test_narrow),
        cmocka_unit_test(test_strict),
        cmocka_unit_test(test_sequence_with_intermediate),
        cmocka_unit_test(test_time_steps),
        cmocka_unit_test(test_refusals),
        cmocka_unit_test(test_poly),
        cmocka_unit_test(test_dependence),
        cmocka_unit_test(test_linearize),
        cmocka_unit_test(test_simplify),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
