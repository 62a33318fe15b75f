/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Profiles of GPUs: lines come out as they go in, what they say replaces analytical rates, kernels that they say nothing
 * about are scaled along, and other kinds of GPU are left alone. */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
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
#include "plan/kernels/gpu_measured.h"
#include "plan/kernels/kernel.h"

#define HEAD "mikgen-profile 1\n"

typedef struct Case {
    Arena *arena;
    const Contraction *c;
} Case;

/* A product of matrices of `type`. */
static Case product(const char *type, Tf32 tf32)
{
    Case c = {.arena = arena_new()};
    const char *spec = arena_printf(c.arena,
                                    "void f(int M, int N, int K, const %s A[M][K], const %s B[K][N], float C[M][N]) {\n"
                                    "for (int m = 0; m < M; m++) for (int n = 0; n < N; n++) { float s = 0;\n"
                                    "for (int k = 0; k < K; k++) s += (float)A[m][k] * (float)B[k][n];\nC[m][n] = s; } }\n",
                                    type, type);
    Ir *ir = ir_new(c.arena, diag_new(c.arena, "test.spec", spec, strlen(spec), stderr));
    Unit *unit = spec_parse(ir, "test.spec", spec, strlen(spec));
    assert_non_null(unit);
    inline_helpers(ir, unit->funcs[0]);
    unit->funcs[0]->body = simplify(ir, unit->funcs[0]->body);
    PlanOptions opt = {.cuda = true, .tf32 = tf32};
    Plan *plan = plan_operator(ir, unit->funcs[0], &opt);
    assert_int_equal(contraction_count(plan), 1);
    lower_device(ir, plan, contraction_at(plan, 0));
    c.c = contraction_at(plan, 0);
    return c;
}

static Profile *read_profile(Arena *arena, const char *text)
{
    Profile *p = profile_parse(arena, diag_new(arena, "test.profile", text, strlen(text), stderr), text, NULL, gpu_ends_name);
    assert_non_null(p);
    return p;
}

static const GpuKernel *find(Arena *arena, const Contraction *c, const GpuKernel *list, int count, const char *name)
{
    for (int i = 0; i < count; i++)
        if (strcmp(gpu_kernel_name(arena, c, &list[i]), name) == 0)
            return &list[i];
    fail_msg("no kernel %s", name);
    return NULL;
}

static void near(double x, double y, double tolerance)
{
    if (!(fabs(x - y) <= tolerance * fabs(y)))
        fail_msg("%g is not near %g", x, y);
}

static void lines_come_out_as_they_go_in(void **state)
{
    (void)state;
    Arena *arena = arena_new();
    static const char canonical[] = HEAD "kernel f32 avx2 1x8 g 1 2 3 4 5 6 7 8\n"
                                         "block f32 sm_80 64x32x16_sm80 fixed 0 step 1 alone 2\n"
                                         "block f32 sm_80 64x64x16_sm80 fixed 0 step 1 alone 2\n"
                                         "block tf32 sm_86 64x64x32_any_sm80 fixed 1 step 1 alone 2\n"
                                         "block 3xtf32 sm_90 1x256x128_row_sm80 fixed 1 step 1 alone 2\n"
                                         "block f16 sm_90 128x256x64_sm90a fixed 4100 step 450.2 alone 610\n"
                                         "gpu sm_80 launch 1500\n"
                                         "gpu sm_90 bandwidth 4300 reached 0.9 meeting 1700 partial 0.02\n";
    Profile *p = read_profile(
        arena,
        HEAD "gpu sm_90 meeting 1700 partial .02\nblock f16 sm_90 128x256x64_sm90a step 450.2 alone 610 fixed 4.1e3\n"
             "block f32 sm_80 64x64x16_sm80 fixed 0 step 1 alone 2\nblock f32 sm_80 64x32x16_sm80 fixed 0 step 1 alone 2\n"
             "block 3xtf32 sm_90 1x256x128_row_sm80 fixed 1 step 1 alone 2\nkernel f32 avx2 1x8 g 1 2 3 4 5 6 7 8\n"
             "block tf32 sm_86 64x64x32_any_sm80 fixed 1 step 1 alone 2\ngpu sm_90 reached .9 bandwidth 4300\ngpu sm_80 launch 1500\n");
    assert_string_equal(profile_print(arena, p), canonical);
    assert_string_equal(profile_print(arena, read_profile(arena, canonical)), canonical);
    arena_free(arena);
}

static void nothing_known_changes_nothing(void **state)
{
    (void)state;
    Case x = product("half", TF32_NEVER);
    int n, m;
    const Profile *p = read_profile(x.arena, HEAD "block bf16 sm_90 128x256x64_sm90a fixed 1 step 1 alone 1\n");
    const GpuKernel *plain = gpu_kernels(x.arena, x.c, &kernel_defaults, &n);
    const GpuKernel *list = gpu_measured_kernels(x.arena, x.c, &(KernelOptions){.n_gen = 32, .n_syn = 12, .profile = p}, &m);
    assert_int_equal(n, m);
    for (int i = 0; i < n; i++)
        assert_memory_equal(plain[i].rates, list[i].rates, sizeof plain[i].rates);
    const GpuCosts costs = gpu_measured_costs(&(KernelOptions){.n_gen = 32, .n_syn = 12, .profile = p}, GPU_SM90);
    assert_memory_equal(&costs, &gpu_costs[GPU_SM90], sizeof costs);
    arena_free(x.arena);
}

static void measured_rates_replace_and_scale(void **state)
{
    (void)state;
    Case x = product("half", TF32_NEVER);
    int n, m;
    const GpuKernel *plain = gpu_kernels(x.arena, x.c, &kernel_defaults, &n);
    const GpuKernel *one = find(x.arena, x.c, plain, n, "128x256x64_sm90a"), *two = find(x.arena, x.c, plain, n, "64x64x64_sm90a");
    const GpuRates *r = &one->rates[GPU_SM90], *s = &two->rates[GPU_SM90];
    /* Twice and eight times the analytical steps: others of the sort get four times theirs. */
    const Profile *p = read_profile(x.arena, arena_printf(x.arena,
                                                          HEAD "block f16 sm_90 128x256x64_sm90a fixed %.9g step %.9g alone %.9g\nblock "
                                                               "f16 sm_90 64x64x64_sm90a fixed %.9g step %.9g alone %.9g\n",
                                                          1e-3 * r->fixed, 2e-3 * r->step, 1e-3 * r->alone, 1e-3 * s->fixed, 8e-3 * s->step,
                                                          1e-3 * s->alone));
    const KernelOptions opts[] = {{.n_gen = 32, .n_syn = 12, .profile = p}, {.n_gen = 32, .n_syn = 12, .usual = p}};
    for (int o = 0; o < 2; o++) {
        const GpuKernel *list = gpu_measured_kernels(x.arena, x.c, &opts[o], &m);
        assert_int_equal(m, n);
        for (int i = 0; i < n; i++) {
            const GpuRates *a = &plain[i].rates[GPU_SM90], *b = &list[i].rates[GPU_SM90];
            /* No kernel of another sort has a line: they are scaled as all that have one. */
            near(b->step, a->step * (&plain[i] == one ? 2.0 : &plain[i] == two ? 8.0 : 4.0), 1e-3);
            near(b->alone, a->alone, 1e-3);
            near(b->fixed, a->fixed, 1e-3);
            assert_memory_equal(&plain[i].rates[GPU_SM80], &list[i].rates[GPU_SM80], sizeof(GpuRates));
        }
    }
    arena_free(x.arena);
}

static void sorts_are_scaled_apart(void **state)
{
    (void)state;
    Case x = product("half", TF32_NEVER);
    int n, m, seen = 0;
    const GpuKernel *plain = gpu_kernels(x.arena, x.c, &kernel_defaults, &n);
    const GpuRates *r = &find(x.arena, x.c, plain, n, "128x256x64_sm90a")->rates[GPU_SM90];
    const GpuRates *s = &find(x.arena, x.c, plain, n, "128x128x32_sm80")->rates[GPU_SM90];
    const Profile *p = read_profile(
        x.arena,
        arena_printf(
            x.arena,
            HEAD
            "block f16 sm_90 128x256x64_sm90a fixed 0 step %.9g alone %.9g\nblock f16 sm_90 128x128x32_sm80 fixed 0 step %.9g alone %.9g\n",
            3e-3 * r->step, 1e-3 * r->alone, 5e-3 * s->step, 1e-3 * s->alone));
    const GpuKernel *list = gpu_measured_kernels(x.arena, x.c, &(KernelOptions){.n_gen = 32, .n_syn = 12, .profile = p}, &m);
    for (int i = 0; i < n; i++) {
        const double expected = plain[i].row ? sqrt(15) : plain[i].tma ? 3 : 5;
        near(list[i].rates[GPU_SM90].step, plain[i].rates[GPU_SM90].step * expected, 1e-3);
        seen |= plain[i].row ? 1 : plain[i].tma ? 2 : 4;
    }
    assert_int_equal(seen, 7);
    arena_free(x.arena);
}

static void the_users_profile_decides_alone(void **state)
{
    (void)state;
    Case x = product("float", TF32_NEVER), y = product("float", TF32_ONCE);
    int n, m;
    const Profile *usual = read_profile(x.arena, HEAD "block f32 sm_90 64x64x16_sm80 fixed 7 step 7 alone 7\ngpu sm_90 launch 1 meeting 2\n"
                                                      "block tf32 sm_90 64x64x32_sm80 fixed 9 step 9 alone 9\n");
    const Profile *own = read_profile(x.arena, HEAD "block f32 sm_90 32x64x16_sm80 fixed 3 step 3 alone 3\ngpu sm_90 launch 5\n");
    const KernelOptions opt = {.n_gen = 32, .n_syn = 12, .profile = own, .usual = usual};
    const GpuKernel *list = gpu_measured_kernels(x.arena, x.c, &opt, &n);
    assert_int_equal(find(x.arena, x.c, list, n, "32x64x16_sm80")->rates[GPU_SM90].fixed, 3000);
    assert_true(find(x.arena, x.c, list, n, "64x64x16_sm80")->rates[GPU_SM90].fixed != 7000);
    list = gpu_measured_kernels(y.arena, y.c, &opt, &m); /* another type: what is built in */
    assert_int_equal(find(y.arena, y.c, list, m, "64x64x32_sm80")->rates[GPU_SM90].alone, 9000);
    const GpuCosts costs = gpu_measured_costs(&opt, GPU_SM90);
    assert_true(costs.launch == 5 && costs.reduction == 2 && costs.bandwidth == gpu_costs[GPU_SM90].bandwidth);
    arena_free(x.arena);
    arena_free(y.arena);
}

/* Names are read as they are spelled: of all kernels that there are, and of no others. */
static void names_end_as_they_are_spelled(void **state)
{
    (void)state;
    static const char *const types[] = {"float", "half", "double"};
    static const char *const right[] = {
        "_sm80",         "_any_sm80",         "_row_sm80", "_sm90a", "_pair_turns_sm90a", "_splitk_sm90a", "_turns_gather_sm90a",
        "_beside_sm90a", "_pair_gather_sm90a"};
    static const char *const wrong[] = {"",
                                        "_",
                                        "_sm90",
                                        "_sm80a",
                                        "_any_sm90a",
                                        "_row_sm90a",
                                        "_turns_sm80",
                                        "_turns_pair_sm90a",
                                        "_splitk_gather_sm90a",
                                        "_splitk_turns_sm90a"};
    for (size_t t = 0; t < sizeof types / sizeof *types; t++) {
        Case x = product(types[t], TF32_NEVER);
        int n;
        const GpuKernel *list = gpu_kernels(x.arena, x.c, &kernel_defaults, &n);
        for (int i = 0; i < n; i++) {
            const char *name = gpu_kernel_name(x.arena, x.c, &list[i]), *tail = strchr(name, '_');
            if (!gpu_ends_name(tail, strlen(tail)))
                fail_msg("%s is no name", name);
        }
        arena_free(x.arena);
    }
    for (size_t i = 0; i < sizeof right / sizeof *right; i++)
        if (!gpu_ends_name(right[i], strlen(right[i])) || gpu_ends_name(right[i], strlen(right[i]) - 1))
            fail_msg("%s, and no less of it", right[i]);
    for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++)
        if (gpu_ends_name(wrong[i], strlen(wrong[i])))
            fail_msg("there is no '%s'", wrong[i]);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(lines_come_out_as_they_go_in),     cmocka_unit_test(nothing_known_changes_nothing),
        cmocka_unit_test(measured_rates_replace_and_scale), cmocka_unit_test(sorts_are_scaled_apart),
        cmocka_unit_test(the_users_profile_decides_alone),  cmocka_unit_test(names_end_as_they_are_spelled),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
