/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Exact covers: integer programs against dynamic programming, solved tables against both, and what happens when the
 * solver fails. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

#include "plan/kernels/cover.h"
#include "plan/kernels/kernel.h"

typedef struct Line {
    CoverItem items[COVER_HEIGHTS];
    int n, length;
} Line;

static uint32_t random_state;

/* 0 <= x < below. */
static int pick(int below)
{
    random_state = random_state * 1664525u + 1013904223u;
    return (int)((uint64_t)random_state * (unsigned)below >> 32);
}

static bool near(double a, double b) { return a <= b * (1 + 1e-9) && b <= a * (1 + 1e-9); }

/* Items with a seeded choice of sides, rates that differ by at most `spread` in a thousand. */
static Line random_line(int spread)
{
    Line line = {.length = 20 + pick(80)};
    const int gap = 1 + pick(3), most = 4 + pick(16);
    for (int side = pick(2) ? 1 : 2 + pick(3); side <= most; side += 1 + pick(gap)) {
        const double time = 16 + side * (100 + 0.1 * pick(spread + 1));
        line.items[line.n++] = (CoverItem){side, time};
    }
    return line;
}

/* ---------------------------------------------------------------- programs */

static void test_program_is_optimal(void **state)
{
    (void)state;
    random_state = 1;
    Arena *arena = arena_new();
    Ilp *ilp = ilp_new(arena, ILP_TIME_LIMIT);
    int without = 0;
    for (int round = 0; round < 60; round++) {
        const Line line = random_line(round % 3 * 100);
        unsigned char first[COVER_LENGTH];
        double best[COVER_LENGTH];
        int count[COVER_HEIGHTS];
        cover_line_dp(line.items, line.n, line.length, first, best);
        ilp_items(ilp, line.items, line.n);
        for (int l = 0; l <= line.length; l++) {
            const IlpStatus status = ilp_solve(ilp, l, count);
            assert_int_equal(status, best[l] == COVER_NONE ? ILP_NO_COVER : ILP_SOLVED);
            without += status == ILP_NO_COVER;
            double time = 0;
            int sum = 0;
            for (int i = 0; i < line.n && status == ILP_SOLVED; i++) {
                assert_true(count[i] >= 0);
                sum += count[i] * line.items[i].side;
                time += count[i] * line.items[i].time;
            }
            if (status == ILP_SOLVED) {
                assert_int_equal(sum, l);
                assert_true(time <= best[l] * (1 + 1e-6));
            }
        }
    }
    assert_true(without > 50); /* lengths that the sides cannot make up were among them */
    ilp_free(ilp);
    arena_free(arena);
}

static void expect_same_line(Ilp *ilp, const Line *line)
{
    unsigned char first[COVER_LENGTH], expected_first[COVER_LENGTH];
    double best[COVER_LENGTH], expected[COVER_LENGTH];
    cover_line(ilp, line->items, line->n, line->length, first, best);
    cover_line_dp(line->items, line->n, line->length, expected_first, expected);
    assert_memory_equal(first, expected_first, (size_t)line->length + 1);
    for (int l = 0; l <= line->length; l++)
        assert_true(near(best[l], expected[l]));
}

static void test_lines(void **state)
{
    (void)state;
    random_state = 2;
    Arena *arena = arena_new();
    Ilp *ilp = ilp_new(arena, ILP_TIME_LIMIT);
    for (int round = 0; round < 60; round++) {
        const Line line = random_line(round % 3 * 100);
        expect_same_line(ilp, &line);
    }
    ilp_free(ilp);
    arena_free(arena);
}

/* Among equally good covers the one with the largest side, whatever order the solver prefers. */
static void test_ties(void **state)
{
    (void)state;
    Arena *arena = arena_new();
    Ilp *ilp = ilp_new(arena, ILP_TIME_LIMIT);
    const CoverItem items[] = {{1, 0.1}, {2, 0.2}, {3, 0.3}, {5, 0.5}};
    unsigned char first[41];
    double best[41];
    cover_line(ilp, items, 4, 40, first, best);
    for (int l = 1; l <= 40; l++)
        assert_int_equal(first[l], l >= 5 ? 5 : l >= 3 ? 3 : l);
    ilp_free(ilp);
    arena_free(arena);
}

/* ---------------------------------------------------------------- a solver that fails */

static void expect_failure(int time_limit)
{
    Arena *arena = arena_new();
    const Line line = {{{3, 40}, {5, 62}, {7, 90}, {11, 131}}, 4, 60};
    Ilp *ilp = ilp_new(arena, time_limit);
    int count[4];
    ilp_items(ilp, line.items, line.n);
    assert_int_equal(ilp_solve(ilp, 59, count), ILP_FAILED);
    assert_int_equal(ilp_solve(ilp, 58, count), ILP_FAILED);
    expect_same_line(ilp, &line);
    ilp_free(ilp);
    /* The next solver of the thread is not affected. */
    ilp = ilp_new(arena, ILP_TIME_LIMIT);
    ilp_items(ilp, line.items, line.n);
    assert_int_equal(ilp_solve(ilp, 59, count), ILP_SOLVED);
    ilp_free(ilp);
    arena_free(arena);
}

static void test_out_of_time(void **state)
{
    (void)state;
    expect_failure(0);
}

/* A negative limit is a misuse at which GLPK would abort. */
static void test_fault(void **state)
{
    (void)state;
    expect_failure(-1);
    expect_failure(-1);
}

/* ---------------------------------------------------------------- tables */

/* Follows a table from `length` down to 0; the time of the sides it names. */
static double follow(const unsigned char *first, int length, const double *time)
{
    double sum = 0;
    for (int side; length > 0; length -= side) {
        side = first[length];
        assert_in_range(side, 1, length);
        assert_true(time[side] > 0);
        sum += time[side];
    }
    return sum;
}

/* Times of the kernels of one width by height, 0 where there is none; the items for the oracle. */
static Line heights_of(const KernelSet *set, int nv, int regime, double *time)
{
    Line line = {0};
    memset(time, 0, sizeof *time * (COVER_HEIGHTS + 1));
    for (int i = 0; i < set->ntiles; i++)
        if (set->tiles[i].nv == nv) {
            const int mr = set->tiles[i].mr;
            line.length = 2 * mr;
            if (regime == 2 && mr > COVER_LOW)
                continue;
            time[mr] = g_at(set->tiles[i].g, cover_steps[regime]);
            line.items[line.n++] = (CoverItem){mr, time[mr]};
        }
    return line;
}

/* The time of m rows of one width in one regime, as the dispatcher covers them. */
static double rows_under(const KernelSet *set, int nv, int regime, int m)
{
    double time[COVER_HEIGHTS + 1], sum = 0;
    heights_of(set, nv, regime, time);
    const int main = set->cover->main[regime][nv];
    for (; m > set->cover->reach[nv]; m -= main)
        sum += time[main];
    return sum + follow(set->cover->heights[regime][nv], m, time);
}

static void check_heights(const KernelSet *set, int nv, int regime)
{
    const CoverTables *t = set->cover;
    double time[COVER_HEIGHTS + 1], best[2 * COVER_HEIGHTS + 1];
    unsigned char first[2 * COVER_HEIGHTS + 1];
    const Line line = heights_of(set, nv, regime, time);
    assert_int_equal(t->reach[nv], line.length);
    if (line.n == 0) {
        assert_int_equal(t->main[regime][nv], 0);
        return;
    }
    cover_line_dp(line.items, line.n, line.length, first, best);
    for (int r = 1; r <= line.length; r++)
        assert_true(near(follow(t->heights[regime][nv], r, time), best[r]));
    const int main = t->main[regime][nv];
    assert_true(time[main] > 0);
    for (int i = 0; i < line.n; i++)
        assert_true(time[main] / main <= line.items[i].time / line.items[i].side * (1 + 1e-9));
}

static void check_columns(const KernelSet *set, int m, int regime)
{
    double time[COVER_WIDTHS] = {0}, best[COVER_COLUMNS + 1];
    unsigned char first[COVER_COLUMNS + 1];
    Line line = {0};
    for (int nv = 1; nv < COVER_WIDTHS; nv++)
        if (set->cover->reach[nv]) {
            double heights[COVER_HEIGHTS + 1];
            heights_of(set, nv, regime, heights);
            const int main = set->cover->main[regime][nv];
            time[nv] = m < COVER_ROWS ? rows_under(set, nv, regime, m) : heights[main] / main;
            line.items[line.n++] = (CoverItem){nv, time[nv]};
        }
    cover_line_dp(line.items, line.n, COVER_COLUMNS, first, best);
    for (int l = 1; l <= COVER_COLUMNS; l++)
        assert_true(near(follow(set->cover->columns[regime][m], l, time), best[l]));
}

static void test_tables(void **state)
{
    (void)state;
    for (Family family = 0; family < FAM_COUNT; family++) {
        Arena *arena = arena_new();
        const KernelSet *sets = kernel_sets(arena, family, &kernel_defaults);
        for (int i = 0; i < kernel_set_count(family, &kernel_defaults); i++)
            for (int regime = 0; regime < COVER_REGIMES; regime++) {
                for (int nv = 1; nv < COVER_WIDTHS; nv++)
                    check_heights(&sets[i], nv, regime);
                for (int m = 1; m <= COVER_ROWS; m++)
                    check_columns(&sets[i], m, regime);
            }
        arena_free(arena);
    }
}

/* A set with gaps: three vectors wide only 4 and 6 high, so no odd rows and not 2; every width but 1 without height 1. */
static void test_gaps(void **state)
{
    (void)state;
    Arena *arena = arena_new();
    TileKernel tiles[] = {{.mr = 1, .nv = 1}, {.mr = 5, .nv = 1}, {.mr = 2, .nv = 2},
                          {.mr = 3, .nv = 2}, {.mr = 4, .nv = 3}, {.mr = 6, .nv = 3}};
    enum { COUNT = sizeof tiles / sizeof *tiles };
    for (int i = 0; i < COUNT; i++)
        for (int k = 0; k < G_KNOTS; k++)
            tiles[i].g[k] = g_knots[k] * (1 + 0.5 * tiles[i].mr * tiles[i].nv) + 10;
    const CoverTables *t = cover_tables(arena, tiles, COUNT);
    for (int regime = 0; regime < COVER_REGIMES; regime++) {
        const unsigned char *two = t->heights[regime][2], *three = t->heights[regime][3];
        assert_int_equal(two[1], 0);
        for (int r = 2; r <= 6; r++)
            assert_true(two[r] == 2 || two[r] == 3);
        for (int r = 1; r <= 12; r++)
            assert_int_equal(three[r] != 0, r >= 4 && r % 2 == 0);
        for (int m = 1; m <= COVER_ROWS; m++)
            for (int l = 1; l <= COVER_COLUMNS; l++) {
                const int nv = t->columns[regime][m][l];
                assert_in_range(nv, 1, m == 1 ? 1 : m % 2 || m == 2 || m == COVER_ROWS ? 2 : 3);
            }
        assert_int_equal(t->columns[regime][8][3], 3); /* one tile of 4 x 3 beats others where it fits */
    }
    arena_free(arena);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_program_is_optimal),
        cmocka_unit_test(test_lines),
        cmocka_unit_test(test_ties),
        cmocka_unit_test(test_out_of_time),
        cmocka_unit_test(test_fault),
        cmocka_unit_test(test_tables),
        cmocka_unit_test(test_gaps),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
