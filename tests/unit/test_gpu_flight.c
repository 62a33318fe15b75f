/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What GPU kernels for a few rows or columns have on their way: enough that a multiprocessor never waits for memory. */
#include <setjmp.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

#include "fuse/inline_helpers.h"
#include "ir/simplify.h"
#include "gen/front/spec.h"
#include "plan/lower/lower.h"
#include "plan/split/operator.h"
#include "plan/kernels/gpu.h"
#include "plan/kernels/kernel.h"

static const Contraction *contraction(Arena *arena, const char *spec, Tf32 tf32)
{
    Ir *ir = ir_new(arena, diag_new(arena, "test.spec", spec, strlen(spec), stderr));
    Unit *unit = spec_parse(ir, "test.spec", spec, strlen(spec));
    assert_non_null(unit);
    inline_helpers(ir, unit->funcs[0]);
    unit->funcs[0]->body = simplify(ir, unit->funcs[0]->body);
    PlanOptions opt = {.cuda = true, .tf32 = tf32};
    Plan *plan = plan_operator(ir, unit->funcs[0], &opt);
    assert_int_equal(contraction_count(plan), 1);
    lower_device(ir, plan, contraction_at(plan, 0));
    return contraction_at(plan, 0);
}

/* A product of matrices of `type`, B lying by rows or by columns. */
static const Contraction *product(Arena *arena, const char *type, const char *acc, bool by_rows, Tf32 tf32)
{
    const char *spec = arena_printf(arena,
                                    "void f(int M, int N, int K, const %s A[M][K], const %s B%s, %s C[M][N]) {\n"
                                    "for (int m = 0; m < M; m++) for (int n = 0; n < N; n++) { %s s = 0;\n"
                                    "for (int k = 0; k < K; k++) s += (%s)A[m][k] * (%s)B%s;\nC[m][n] = s; } }\n",
                                    type, type, by_rows ? "[K][N]" : "[N][K]", acc, acc, acc, acc, by_rows ? "[k][n]" : "[n][k]");
    return contraction(arena, spec, tf32);
}

/* KB of shared memory of a multiprocessor. */
enum { FEW = 16, ENOUGH = 64 * 1024, KB_80 = 164, KB_90 = 228 };

static int least(int a, int b) { return a < b ? a : b; }
static int most(int a, int b) { return a > b ? a : b; }

/* Bytes of the larger operand that blocks of k always have on their way to one multiprocessor with so many KB of shared memory. */
static int in_flight(const GpuKernel *k, int bytes, int shared_kb)
{
    const int blocks = least(k->blocks, shared_kb * 1024 / (k->shared + 1024));
    return blocks * (k->stages - 1) * most(k->m, k->n) * k->k / (k->split_k ? k->cluster : 1) * bytes;
}

typedef struct Case {
    const char *type, *acc;
    int bytes;
    Tf32 tf32;
} Case;

static const Case cases[] = {{"half", "float", 2, TF32_NEVER},   {"bf16", "float", 2, TF32_NEVER}, {"int8_t", "int", 1, TF32_NEVER},
                             {"float", "float", 4, TF32_NEVER},  {"float", "float", 4, TF32_ONCE}, {"float", "float", 4, TF32_THRICE},
                             {"double", "double", 8, TF32_NEVER}};

static void few_rows_keep_memory_busy(void **state)
{
    (void)state;
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++)
        for (int by_rows = 0; by_rows < 2; by_rows++) {
            Arena *arena = arena_new();
            const Case *x = &cases[i];
            const Contraction *c = product(arena, x->type, x->acc, by_rows, x->tf32);
            int n, rows = 0, columns = 0;
            const GpuKernel *list = gpu_kernels(arena, c, &kernel_defaults, &n);
            for (int j = 0; j < n; j++) {
                const GpuKernel *k = &list[j];
                /* Of tiles with two short sides neither operand is a stream. */
                if ((k->m > FEW && k->n > FEW) || (k->m < 2 * FEW && k->n < 2 * FEW && !k->row))
                    continue;
                rows += k->m <= FEW, columns += k->n <= FEW;
                for (int kb = k->tma ? KB_90 : KB_80; kb <= KB_90; kb += KB_90 - KB_80)
                    if (in_flight(k, x->bytes, kb) < ENOUGH)
                        fail_msg("%s, %s: %d bytes on %d KB", x->type, gpu_kernel_name(arena, c, k), in_flight(k, x->bytes, kb), kb);
            }
            assert_true(rows >= 3 && columns >= 3);
            arena_free(arena);
        }
}

/* Of packed codes the bytes that they are packed in count. */
static void few_rows_of_codes_keep_memory_busy(void **state)
{
    static const char head[] = "void f(int M, int N, int K, const float A[M][K], const uint8_t B[N + K][N + K], float C[M][N]) {\n"
                               "for (int m = 0; m < M; m++) for (int n = 0; n < N; n++) { float s = 0;\n"
                               "for (int k = 0; k < K; k++) s += A[m][k] * ",
                      tail[] = ";\nC[m][n] = s; } }\n";
    static const char *const code[] = {"B[n][k]", "((B[n][k / 2] >> (k % 2 * 4)) & 15)", "B[k][n]"};
    (void)state;
    for (int i = 0; i < 3; i++) {
        Arena *arena = arena_new();
        const Contraction *c = contraction(arena, arena_printf(arena, "%s%s%s", head, code[i], tail), TF32_NEVER);
        int n, found = 0;
        assert_non_null(c->codes);
        assert_int_equal(c->codes->bits, i == 1 ? 4 : 8);
        assert_int_equal(c->codes->across, i == 2);
        const GpuKernel *list = gpu_kernels(arena, c, &kernel_defaults, &n);
        for (int j = 0; j < n; j++) {
            if (!list[j].codes)
                continue;
            found++;
            for (int kb = KB_80; kb <= KB_90; kb += KB_90 - KB_80)
                assert_in_range(in_flight(&list[j], 1, kb) * c->codes->bits / 8, ENOUGH, 1 << 20);
        }
        assert_int_equal(found, 2);
        arena_free(arena);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(few_rows_keep_memory_busy), cmocka_unit_test(few_rows_of_codes_keep_memory_busy)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
