/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Covers of outputs of constant extents, against dynamic programming over both orders of cutting. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

#include <cmocka.h>

#include "plan/kernels/cover2d.h"
#include "plan/kernels/kernel.h"

static uint32_t random_state;

static int pick(int below)
{
    random_state = random_state * 1664525u + 1013904223u;
    return (int)((uint64_t)random_state * (unsigned)below >> 32);
}

static bool near(double a, double b) { return a <= b * (1 + 1e-9) && b <= a * (1 + 1e-9); }

/* ---------------------------------------------------------------- lengths */

/* The sides' sum and the time of what cover_length found. */
static void check_length(Arena *arena, Ilp *ilp, const CoverItem *items, int n, int length, bool dp, double expected)
{
    int64_t count[8], sum = 0;
    double time = 0;
    const double found = cover_length(arena, ilp, items, n, length, dp, count);
    if (expected == COVER_NONE) {
        assert_true(found == COVER_NONE);
        return;
    }
    for (int i = 0; i < n; i++) {
        sum += count[i] * items[i].side;
        time += (double)count[i] * items[i].time;
    }
    assert_int_equal(sum, length);
    assert_true(near(found, time));
    assert_true(found <= expected * (1 + 1e-6));
}

/* Long lengths, which copies of the best side shorten, have the same best time as in one recursion over all of it. */
static void test_long_lengths(void **state)
{
    (void)state;
    enum { LENGTH = 1500 };
    random_state = 3;
    unsigned char first[LENGTH + 1];
    double best[LENGTH + 1];
    for (int round = 0; round < 20; round++) {
        Arena *arena = arena_new();
        Ilp *ilp = ilp_new(arena, ILP_TIME_LIMIT);
        CoverItem items[8];
        int n = 0;
        for (int side = 1 + pick(4); side <= 16 && n < 8; side += 1 + pick(3))
            items[n++] = (CoverItem){side, 10 + side * (100 + 0.1 * pick(100))};
        cover_line_dp(items, n, LENGTH, first, best);
        for (int i = 0; i < 40; i++) {
            const int length = 1 + pick(LENGTH);
            check_length(arena, ilp, items, n, length, false, best[length]);
            check_length(arena, ilp, items, n, length, true, best[length]);
        }
        ilp_free(ilp);
        arena_free(arena);
    }
}

/* ---------------------------------------------------------------- outputs */

/* The best time of `along` x `across` in bands along one side, by recursion alone. */
static double oracle(Arena *arena, const KernelSet *set, bool rows_first, int along, int across, int64_t k)
{
    CoverItem bands[COVER_HEIGHTS + 1];
    unsigned char *first = arena_new_array(arena, unsigned char, along + across + 1);
    double *best = arena_new_array(arena, double, along + across + 1);
    int nbands = 0;
    for (int side = 1; side <= COVER_HEIGHTS; side++) {
        CoverItem items[COVER_HEIGHTS + 1];
        int n = 0;
        for (int i = 0; i < set->ntiles; i++) {
            const TileKernel *t = &set->tiles[i];
            if ((rows_first ? t->mr : t->nv) == side)
                items[n++] = (CoverItem){rows_first ? t->nv : t->mr, tile_time(t, k)};
        }
        cover_line_dp(items, n, across, first, best);
        if (best[across] != COVER_NONE)
            bands[nbands++] = (CoverItem){side, best[across]};
    }
    cover_line_dp(bands, nbands, along, first, best);
    return best[along];
}

static double time_of(const KernelSet *set, int mr, int nv, int64_t k)
{
    for (int i = 0; i < set->ntiles; i++)
        if (set->tiles[i].mr == mr && set->tiles[i].nv == nv)
            return tile_time(&set->tiles[i], k);
    fail_msg("no kernel of %d x %d", mr, nv);
    return 0;
}

/* The bands tile the output exactly, with kernels of the set, in the time the cover says. Returns whether rows came first. */
static bool check_output(Arena *arena, const KernelSet *set, int m, int n, int64_t k)
{
    const int vectors = (n + set->lanes - 1) / set->lanes;
    const Cover2d *cover = cover_2d(arena, set, m, n, k, false);
    assert_non_null(cover);
    const int64_t across = cover->rows_first ? vectors : m;
    int64_t along = 0;
    double time = 0;
    for (int i = 0; i < cover->nbands; i++) {
        const CoverBand *b = &cover->bands[i];
        int64_t sum = 0;
        assert_true(b->band.count > 0 && (i == 0 || b->band.side < b[-1].band.side));
        for (int j = 0; j < b->nparts; j++) {
            const CoverPart part = b->parts[j];
            assert_true(part.count > 0 && (j == 0 || part.side < b->parts[j - 1].side));
            sum += part.side * part.count;
            time += (double)(b->band.count * part.count) *
                    (cover->rows_first ? time_of(set, b->band.side, part.side, k) : time_of(set, part.side, b->band.side, k));
        }
        assert_int_equal(sum, across);
        along += b->band.side * b->band.count;
    }
    assert_int_equal(along, cover->rows_first ? m : vectors);
    assert_true(near(cover->time, time));
    const double rows = oracle(arena, set, true, m, vectors, k), columns = oracle(arena, set, false, vectors, m, k);
    assert_true(cover->time <= (rows < columns ? rows : columns) * (1 + 1e-6));
    assert_true(near(cover_2d(arena, set, m, n, k, true)->time, rows < columns ? rows : columns));
    return cover->rows_first;
}

static void test_outputs(void **state)
{
    (void)state;
    random_state = 4;
    Arena *arena = arena_new();
    const KernelSet *sets = kernel_sets(arena, FAM_F32, &kernel_defaults);
    int rows_first = 0, rounds = 0;
    for (int round = 0; round < 40; round++)
        for (int i = 0; i < kernel_set_count(FAM_F32, &kernel_defaults); i++, rounds++) {
            const int m = 1 + pick(round % 2 ? 40 : 600), n = 1 + pick(round % 4 < 2 ? 100 : 1200);
            rows_first += check_output(arena, &sets[i], m, n, round % 5 ? 1 + pick(500) : -1);
        }
    assert_in_range(rows_first, 1, rounds - 1); /* both orders occur */
    arena_free(arena);
}

/* Nothing but 1 x 1, and extents beyond any table. */
static void test_extremes(void **state)
{
    (void)state;
    Arena *arena = arena_new();
    TileKernel tile = {.mr = 1, .nv = 1, .uK = 512};
    for (int i = 0; i < G_KNOTS; i++)
        tile.g[i] = 10 + g_knots[i];
    const KernelSet set = {.lanes = 16, .tiles = &tile, .ntiles = 1};
    const Cover2d *cover = cover_2d(arena, &set, (int64_t)1 << 40, 17, 1, false);
    assert_false(cover->rows_first);
    assert_int_equal(cover->nbands, 1);
    assert_int_equal(cover->bands[0].band.count, 2);
    assert_int_equal(cover->bands[0].nparts, 1);
    assert_true(cover->bands[0].parts[0].count == (int64_t)1 << 40);
    assert_true(near(cover->time, 22.0 * ((int64_t)1 << 40)));
    tile.mr = 2; /* no exact cover of an odd number of rows */
    assert_null(cover_2d(arena, &set, 3, 17, 1, false));
    assert_non_null(cover_2d(arena, &set, 4, 17, 1, true));
    arena_free(arena);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_long_lengths),
        cmocka_unit_test(test_outputs),
        cmocka_unit_test(test_extremes),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
