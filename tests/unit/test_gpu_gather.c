/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Which kernels of warpgroups gather an operand, and what is said of their costs and of shared memory. */
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

enum { MOST_SHARED = 227 * 1024 };

/* A convolution over one dimension: pixels are the first factor, or the second; channels are neighbours, or pixels are. */
static const Contraction *convolution(Arena *arena, const char *type, const char *acc, bool second, bool channels_last)
{
    const char *spec = arena_printf(arena,
                                    "void f(int L, int C, int K, int R, const %s x%s, const %s w[K][R][C], %s y%s) {\n"
                                    "for (int i = 0; i < %s; i++) for (int j = 0; j < %s; j++) { %s s = 0;\n"
                                    "for (int r = 0; r < R; r++) for (int c = 0; c < C; c++) {\n"
                                    "int at = %s + r - R / 2; %s v = at >= 0 && at < L ? x%s : (%s)0;\n"
                                    "s += (%s)%s * (%s)%s; }\ny[i][j] = s; } }\n",
                                    type, channels_last ? "[L][C]" : "[C][L]", type, acc, second ? "[K][L]" : "[L][K]", second ? "K" : "L",
                                    second ? "L" : "K", acc, second ? "j" : "i", type, channels_last ? "[at][c]" : "[c][at]", type, acc,
                                    second ? "w[i][r][c]" : "v", acc, second ? "v" : "w[j][r][c]");
    Ir *ir = ir_new(arena, diag_new(arena, "test.spec", spec, strlen(spec), stderr));
    Unit *unit = spec_parse(ir, "test.spec", spec, strlen(spec));
    assert_non_null(unit);
    inline_helpers(ir, unit->funcs[0]);
    unit->funcs[0]->body = simplify(ir, unit->funcs[0]->body);
    PlanOptions opt = {.cuda = true, .tf32 = TF32_ONCE};
    Plan *plan = plan_operator(ir, unit->funcs[0], &opt);
    assert_int_equal(contraction_count(plan), 1);
    lower_device(ir, plan, contraction_at(plan, 0));
    return contraction_at(plan, 0);
}

static int count_gathering(Arena *arena, const Contraction *c, int *pairs, int *beside)
{
    int n, found = 0;
    const GpuKernel *list = gpu_kernels(arena, c, &kernel_defaults, &n);
    *pairs = *beside = 0;
    for (int i = 0; i < n; i++) {
        const GpuKernel *k = &list[i];
        assert_int_equal(k->gathers, k->tma); /* nothing else is on Hopper's warpgroups here */
        if (!k->gathers)
            continue;
        found++;
        *pairs += k->cluster == 2 && !k->beside;
        *beside += k->beside;
        assert_int_equal(k->align, 16);
        assert_in_range(k->shared * k->blocks, 1, MOST_SHARED);
        assert_non_null(strstr(gpu_kernel_name(arena, c, k), "_gather_sm90a"));
    }
    return found;
}

/* Blocks of a pair share what tensor copies bring, never what they gather. */
static void pairs_share_what_lies_in_place(void **state)
{
    static const char *const types[][2] = {{"half", "float"}, {"bf16", "float"}, {"int8_t", "int"}};
    (void)state;
    for (size_t i = 0; i < sizeof types / sizeof *types; i++)
        for (int second = 0; second < 2; second++) {
            Arena *arena = arena_new();
            int pairs, beside;
            const Contraction *c = convolution(arena, types[i][0], types[i][1], second, true);
            assert_non_null(second ? c->b.gather : c->a.gather);
            assert_true(count_gathering(arena, c, &pairs, &beside) >= 16);
            assert_int_equal(pairs > 0, !second);
            assert_int_equal(beside > 0, second);
            arena_free(arena);
        }
}

/* Threads would not round to tf32 as tensor copies do; where pixels are neighbours 16 bytes of a line are not. */
static void others_stay_with_single_warps(void **state)
{
    (void)state;
    Arena *arena = arena_new();
    int pairs, beside;
    assert_int_equal(count_gathering(arena, convolution(arena, "float", "float", false, true), &pairs, &beside), 0);
    assert_int_equal(count_gathering(arena, convolution(arena, "half", "float", false, false), &pairs, &beside), 0);
    arena_free(arena);
}

/* What copying bounds takes longer than by tensor copies, what multiplying bounds does not. */
static void gathering_costs_more(void **state)
{
    static const char spec[] = "void f(int M, int N, int K, const half A[M][K], const half B[N][K], float C[M][N]) {\n"
                               "for (int m = 0; m < M; m++) for (int n = 0; n < N; n++) { float s = 0;\n"
                               "for (int k = 0; k < K; k++) s += (float)A[m][k] * (float)B[n][k];\nC[m][n] = s; } }\n";
    (void)state;
    Arena *arena = arena_new();
    Ir *ir = ir_new(arena, diag_new(arena, "test.spec", spec, strlen(spec), stderr));
    Unit *unit = spec_parse(ir, "test.spec", spec, strlen(spec));
    assert_non_null(unit);
    PlanOptions opt = {.cuda = true};
    Plan *plan = plan_operator(ir, unit->funcs[0], &opt);
    assert_int_equal(contraction_count(plan), 1);
    lower_device(ir, plan, contraction_at(plan, 0));
    int n, nplain, longer = 0, same = 0;
    const GpuKernel *list = gpu_kernels(arena, convolution(arena, "half", "float", false, true), &kernel_defaults, &n);
    const GpuKernel *plain = gpu_kernels(arena, contraction_at(plan, 0), &kernel_defaults, &nplain);
    for (int i = 0; i < n; i++)
        for (int j = 0; j < nplain && list[i].gathers; j++) {
            const GpuKernel *x = &list[i], *y = &plain[j];
            if (!y->tma || x->m != y->m || x->n != y->n || x->cluster != y->cluster || x->turns != y->turns || x->beside != y->beside)
                continue;
            assert_true(x->rates[GPU_SM90].step >= y->rates[GPU_SM90].step);
            longer += x->rates[GPU_SM90].step > y->rates[GPU_SM90].step;
            same += x->rates[GPU_SM90].step == y->rates[GPU_SM90].step;
        }
    assert_true(longer > 0 && same > 0);
    arena_free(arena);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(pairs_share_what_lies_in_place), cmocka_unit_test(others_stay_with_single_warps),
                                       cmocka_unit_test(gathering_costs_more)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
