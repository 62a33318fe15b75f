/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The engine of the C target, called as it stands (templates/engine/c) with the small tables beside it: kernels against sums written
 * down plainly, covers and programs against what they are for: every output once. */
#include <setjmp.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>

#include <cmocka.h>

#if defined(__x86_64__)
#pragma GCC diagnostic ignored "-Wunused-function"
#include "templates/engine/c/pack_convert.h"
#include "templates/engine/c/plan_text.h"
#include "templates/engine/tune/engine_time.h"

enum { ROWS = 40, COLS = 120, STEPS = 80 };
static float a[ROWS * STEPS], b[STEPS * COLS], bt[COLS * STEPS], c[ROWS * COLS], start[ROWS * COLS];

static bool has_avx512(void)
{
    return __builtin_cpu_supports("avx512f") && __builtin_cpu_supports("avx2") && __builtin_cpu_supports("fma");
}

/* Small integers: sums are exact in any order. */
static int draw(void **state)
{
    uint32_t x = 12345;
    float *const arrays[] = {a, b, start};
    const int sizes[] = {ROWS * STEPS, STEPS * COLS, ROWS * COLS};
    (void)state;
    for (int i = 0; i < 3; i++)
        for (int j = 0; j < sizes[i]; j++)
            arrays[i][j] = (float)((int)((x = x * 1664525u + 1013904223u) >> 28) - 8);
    for (int k = 0; k < STEPS; k++)
        for (int j = 0; j < COLS; j++)
            bt[j * STEPS + k] = b[k * COLS + j];
    return 0;
}

static void reset(void) { memcpy(c, start, sizeof c); }

/* c holds start, with sums of k steps stored or added at m x n of it, and nothing else is changed. */
static void check(int64_t m, int64_t n, int64_t k, bool add)
{
    for (int64_t i = 0; i < ROWS; i++)
        for (int64_t j = 0; j < COLS; j++) {
            float want = start[i * COLS + j];
            if (i < m && j < n) {
                want = add ? want : 0;
                for (int64_t q = 0; q < k; q++)
                    want += a[i * STEPS + q] * b[q * COLS + j];
            }
            if (c[i * COLS + j] != want)
                fail_msg("%dx%dx%d%s: c(%d, %d) is %g, not %g", (int)m, (int)n, (int)k, add ? " added" : "", (int)i, (int)j,
                         (double)c[i * COLS + j], (double)want);
        }
}

static mik_f32_tile tile_of(int64_t k, int64_t cols, bool add)
{
    mik_f32_tile t = {.a = a,
                      .b = b,
                      .c = c,
                      .k = k,
                      .a_m = STEPS,
                      .a_k = 1,
                      .b_k = COLS,
                      .b_n = 1,
                      .c_m = COLS,
                      .c_n = 1,
                      .cols = (int)cols,
                      .add = add,
                      .prefetch = b,
                      .prefetch_k = COLS};
    return t;
}

static void test_tiles(void **state)
{
    (void)state;
    if (!has_avx512())
        skip();
    for (int v = 0; v < mik_f32_avx512.count; v++) {
        const mik_f32_variant *x = mik_f32_avx512_variants + v;
        const int most = x->nv == 1 ? COLS : x->nv * F32Z_LANES;
        for (int cols = x->nv == 1 ? 1 : (x->nv - 1) * F32Z_LANES + 1; cols <= most; cols++)
            for (int k = 0; k < 20; k++) {
                const mik_f32_tile t = tile_of(k, cols, k % 2);
                reset();
                x->run(&t);
                check(x->mr, cols, k, k % 2);
            }
    }
}

static void test_dots(void **state)
{
    (void)state;
    if (!has_avx512())
        skip();
    for (int rows = 1; rows <= 2; rows++)
        for (int cols = 1; cols <= 4; cols++)
            for (int k = 0; k <= STEPS; k++) {
                mik_f32_tile t = tile_of(k, cols, k % 2);
                t.b = bt;
                t.b_n = STEPS;
                reset();
                mik_f32_avx512_dots[4 * (rows - 1) + cols - 1](&t);
                check(rows, cols, k, k % 2);
            }
}

static void test_lines(void **state)
{
    (void)state;
    if (!has_avx512())
        skip();
    for (int n = F32Z_LANES; n <= COLS; n++)
        for (int k = 0; k < 5; k++) {
            const mik_f32_tile t = tile_of(k, n, k % 2);
            reset();
            f32z_row(&t, n);
            check(1, n, k, k % 2);
            if (n % F32Z_LANES || k == 0)
                continue;
            reset();
            f32z_long_row(&t, n);
            check(1, n, k, k % 2);
        }
    for (int cols = 1; cols < F32Z_LANES; cols++)
        for (int m = 1; m <= ROWS; m++) {
            const mik_f32_tile t = tile_of(17, cols, m % 2);
            reset();
            f32z_column(&t, m);
            check(m, cols, 17, m % 2);
        }
}

static void test_shallow(void **state)
{
    (void)state;
    if (!has_avx512())
        skip();
    for (int k = 1; k <= 3; k++)
        for (int n = 1; n <= COLS; n++) {
            const mik_f32_tile t = tile_of(k, 0, n % 2);
            reset();
            mik_f32_avx512_shallow[k - 1](&t, 7, n);
            check(7, n, k, n % 2);
            if (n > F32Z_LANES)
                continue;
            reset();
            mik_f32_avx512_slim[k - 1](&t, 7, n);
            check(7, n, k, n % 2);
        }
}

/* Strips and tiles add up to the rectangle, whatever the main kernel; their costs to its cost. */
static void test_covers(void **state)
{
    const mik_f32_isa *isa = &mik_f32_avx512;
    const mik_f32_steps steps = mik_f32_steps_of(100, 100);
    (void)state;
    for (int main = -1; main < isa->count; main++)
        for (int m = 1; m < 60; m++)
            for (int vectors = 1; vectors <= (main < 0 ? MIK_F32_COVER_COLUMNS : 70); vectors++) {
                const mik_f32_tiling t = mik_f32_tiling_of(isa, 0, main < 0 ? MIK_F32_TABLE : main, main % 2 == 1, m);
                float strip[17], cost = 0;
                for (int i = 0; i < 17; i++)
                    strip[i] = -1;
                for (int left = vectors; left > 0;) {
                    const int nv = mik_f32_strip_width(&t, left);
                    assert_in_range(nv, 1, left);
                    int64_t rows = m;
                    while (rows > 0) {
                        const mik_f32_variant *v = mik_f32_tile_kernel(&t, nv, rows);
                        assert_int_equal(v->nv, nv);
                        rows -= v->mr;
                    }
                    assert_int_equal(rows, 0);
                    cost += mik_f32_strip_cost(&t, &steps, nv, m) + MIK_F32_STRIP;
                    left -= nv;
                }
                const float whole = mik_f32_cover_cost(&t, &steps, m, vectors, strip);
                assert_true(whole > 0.999f * cost && whole < 1.001f * cost);
            }
}

/* As options.plan numbers them; 0: any. */
static const int patterns[] = {0, 1, 2, 3, MIK_F32_SWEEP, MIK_F32_SHALLOW};
enum { PATTERNS = sizeof patterns / sizeof *patterns };

/* Every pattern's regions, and every task of a program, hold each output once. */
static void count_outputs(unsigned char *seen, const mik_f32_region *r, int64_t n)
{
    for (int64_t i = r->m0; i < r->m1; i++)
        for (int64_t j = r->n0; j < r->n1; j++)
            seen[i * n + j]++;
}

static void test_programs(void **state)
{
    static unsigned char seen[150 * 401];
    static const int64_t sides[] = {1, 2, 7, 16, 33, 150};
    (void)state;
    for (int at = 0; at < 36 * PATTERNS; at++) {
        const int64_t m = sides[at % 6], n = sides[at / 6 % 6] * 8 / 3 + 1;
        const mik_f32_shape s = {m, n, 60, 1, patterns[at / 36] << 12, MIK_F32_A | MIK_F32_B, 1};
        mik_f32_plan p;
        mik_f32_region r[MIK_F32_REGIONS];
        mik_f32_decide(&mik_f32_avx512, &s, &p);
        assert_true(p.cost > 0);
        memset(seen, 0, sizeof seen);
        for (int i = 0, count = mik_f32_regions(&mik_f32_avx512, &s, &p, r); i < count; i++) {
            assert_true(r[i].mc > 0 && r[i].nc > 0);
            count_outputs(seen, r + i, n);
        }
        for (int64_t i = 0; i < m * n; i++)
            assert_int_equal(seen[i], 1);
    }
}

static void test_tasks(void **state)
{
    static unsigned char seen[150 * 400], owner[MIK_F32_TASKS];
    (void)state;
    for (int threads = 2; threads <= 9; threads++)
        for (int64_t n = 50; n <= 400; n += 50) {
            const mik_f32_shape s = {150, n, 300, 1, MIK_ALL_THREADS, MIK_F32_A | MIK_F32_B, (short)threads};
            mik_f32_plan p;
            mik_f32_region r[MIK_F32_REGIONS];
            mik_f32_search x;
            mik_f32_decide(&mik_f32_avx512, &s, &p);
            assert_in_range(p.workers, 2, threads);
            if (p.splits > 1)
                continue;
            mik_f32_regions(&mik_f32_avx512, &s, &p, r);
            mik_f32_search_begin(&x, &mik_f32_avx512, &s, p.kc);
            mik_f32_assign(&x, &p, r, 1, owner);
            memset(seen, 0, sizeof seen);
            int64_t tasks = 0;
            for (int i = 0; i < MIK_F32_REGIONS; i++)
                tasks += p.rows[i] * p.columns[i];
            for (int64_t t = 0; t < tasks; t++) {
                mik_f32_region task;
                int64_t batch;
                assert_in_range(owner[t], 0, p.workers - 1);
                if (mik_f32_task_at(&mik_f32_avx512, &p, r, t, &task, &batch))
                    count_outputs(seen, &task, n);
            }
            for (int64_t i = 0; i < 150 * n; i++)
                assert_int_equal(seen[i], 1);
        }
}

/* The cache gives what deciding gives, from the first call on and for shapes that share an entry. */
static void test_cache(void **state)
{
    (void)state;
    for (int round = 0; round < 2; round++)
        for (int64_t m = 1; m <= 700; m++) {
            const mik_f32_shape s = {m, 3 * m, 64, 1, 0, MIK_F32_A | MIK_F32_B, 1};
            mik_f32_plan p, q;
            mik_f32_lookup(&mik_f32_avx512, &s, &p);
            mik_f32_decide(&mik_f32_avx512, &s, &q);
            assert_memory_equal(&p, &q, sizeof p);
        }
}

static void test_packing(void **state)
{
    static float packed[ROWS * STEPS + COLS * STEPS];
    (void)state;
    for (int64_t kc = 0; kc <= 20; kc++)
        for (int64_t mc = 1; mc <= ROWS; mc++)
            for (int64_t mr = 1; mr <= 9; mr++)
                for (int turned = 0; turned < 2; turned++) {
                    const float *from = turned ? b : a;
                    const int64_t along = turned ? 1 : STEPS, down = turned ? COLS : 1;
                    mik_f32_pack_a(from, along, down, mc, kc, mr, packed);
                    for (int64_t i = 0; i < mc; i++)
                        for (int64_t k = 0; k < kc; k++) {
                            const int64_t panel = i / mr * mr, h = mik_min(mr, mc - panel);
                            assert_true(packed[panel * kc + k * h + i - panel] == from[i * along + k * down]);
                        }
                    mik_f32_pack_b(from, down, along, kc, mc, mr, MIK_F32_ALONG, packed);
                    for (int64_t j = 0; j < mc; j++)
                        for (int64_t k = 0; k < kc; k++)
                            assert_true(packed[j / mr * mr * kc + k * mr + j % mr] == from[j * along + k * down]);
                }
}

static const float *at_a(const void *s, int64_t batch) { return (void)s, (void)batch, a; }
static const float *at_b(const void *s, int64_t batch) { return (void)s, (void)batch, b; }
static float *at_c(const void *s, int64_t batch) { return (void)s, (void)batch, c; }

static void no_a(const void *s, int isa, int64_t batch, int64_t m0, int64_t mc, int64_t k0, int64_t kc, int64_t mr, float *dst)
{
    (void)s, (void)isa, (void)batch;
    mik_f32_pack_a(a + m0 * STEPS + k0, STEPS, 1, mc, kc, mr, dst);
}

static void no_b(const void *s, int isa, int64_t batch, int64_t k0, int64_t kc, int64_t n0, int64_t nc, int64_t nr, float *dst)
{
    (void)s, (void)isa, (void)batch;
    mik_f32_pack_b(b + k0 * COLS + n0, COLS, 1, kc, nc, nr, MIK_F32_ALONG, dst);
}

/* Whole calls: free, and under every pattern, packed and in place. */
static void test_calls(void **state)
{
    static const int64_t sides[] = {1, 5, 17, 40};
    const mik_f32_operation op = {.a = at_a, .b = at_b, .c = at_c, .pack_a = no_a, .pack_b = no_b, .kind = MIK_STORE};
    (void)state;
    if (!has_avx512())
        skip();
    for (int at = 0; at < 4 * 4 * 4 * PATTERNS * 2; at++) {
        const int64_t m = sides[at % 4], n = sides[at / 4 % 4] * 3, k = sides[at / 16 % 4] * 2;
        const mik_problem p = tune_f32_problem(m, n, k, STEPS, COLS);
        const mikgen_options opt = {.plan = patterns[at / 64 % PATTERNS] << 12 |
                                            (at / (64 * PATTERNS) ? MIK_PACK_A | MIK_PACK_B | MIK_SMALL_BLOCKS : 0)};
        reset();
        assert_int_equal(mik_f32_run(&op, NULL, &p, &opt), MIKGEN_OK);
        check(m, n, k, false);
    }
}

/* Lines that are neighbours, lines of neighbours, and neither; panels full, low, and as wide as full ones. */
static void test_conversion(void **state)
{
    enum { LINES = 37, MOST = 50, BOTH = 3 };
    static uint16_t half[LINES * MOST * BOTH];
    static float panels[(LINES + 16) * MOST];
    const struct {
        int64_t line, k;
    } strides[] = {{1, LINES}, {MOST, 1}, {MOST * BOTH, BOTH}};
    (void)state;
    for (size_t i = 0; i < sizeof half / sizeof *half; i++)
        half[i] = (uint16_t)(i * 40503u % 0x7c00);
    for (int isa = 1; isa <= (has_avx512() ? 3 : 1); isa++)
        for (size_t s = 0; s < sizeof strides / sizeof *strides; s++)
            for (int64_t lines = 1; lines <= LINES; lines += 3)
                for (int64_t kc = 1; kc <= MOST; kc += 7)
                    for (int keep = 0; keep < 2; keep++) {
                        const int64_t size = lines < 20 ? 16 : 8;
                        mik_f32_pack_half(isa, half, strides[s].line, strides[s].k, lines, kc, size, keep, 0, panels);
                        const float *panel = panels;
                        for (int64_t first = 0; first < lines; first += size) {
                            const int64_t used = mik_min(size, lines - first), to = keep ? size : used;
                            for (int64_t k = 0; k < kc; k++)
                                for (int64_t i = 0; i < used; i++)
                                    assert_true(panel[k * to + i] ==
                                                mik_half_to_float(half[(first + i) * strides[s].line + k * strides[s].k]));
                            panel += to * kc;
                        }
                    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_tiles),   cmocka_unit_test(test_dots),       cmocka_unit_test(test_lines), cmocka_unit_test(test_shallow),
        cmocka_unit_test(test_covers),  cmocka_unit_test(test_programs),   cmocka_unit_test(test_tasks), cmocka_unit_test(test_cache),
        cmocka_unit_test(test_packing), cmocka_unit_test(test_conversion), cmocka_unit_test(test_calls),
    };
    return cmocka_run_group_tests(tests, draw, NULL);
}
#else
static void elsewhere(void **state)
{
    (void)state;
    skip();
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(elsewhere)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
#endif
