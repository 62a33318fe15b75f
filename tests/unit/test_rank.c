/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The enumeration of micro-kernels and their ranking: what is kept, in which blocks, and what a smaller set costs. */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

#include "plan/kernels/cover2d.h"
#include "plan/kernels/kernel.h"
#include "plan/kernels/rank.h"

static KernelOptions options(int n_mik)
{
    KernelOptions opt = kernel_defaults;
    opt.n_mik = n_mik;
    return opt;
}

static const KernelSet *sets_of(Arena *arena, Family family, KernelOptions opt) { return kernel_sets(arena, family, &opt); }

static const TileKernel *find(const KernelSet *set, int mr, int nv)
{
    for (int i = 0; i < set->ntiles; i++)
        if (set->tiles[i].mr == mr && set->tiles[i].nv == nv)
            return &set->tiles[i];
    return NULL;
}

/* ---------------------------------------------------------------- enumeration */

/* Tiles in order, a width's first of one row, accumulators within `registers`. */
static void check_set(const KernelSet *set, int registers)
{
    assert_true(set->ntiles > 0 && set->tiles[0].mr == 1 && set->tiles[0].nv == 1);
    for (int i = 0; i < set->ntiles; i++) {
        const TileKernel *t = &set->tiles[i];
        const int operands = (t->mr < t->nv ? t->mr : t->nv) + 1;
        assert_in_range(t->nv, 1, COVER_WIDTHS - 1);
        assert_in_range(t->mr, 1, COVER_HEIGHTS);
        assert_true(t->mr * t->nv * t->sets + operands <= registers);
        if (i == 0 || t->nv > t[-1].nv)
            assert_int_equal(t->mr, 1);
        else
            assert_true(t->nv == t[-1].nv && t->mr > t[-1].mr);
    }
}

/* Shallow kernels, where operands may be in place: each holds as much of B as leaves a register for an element of A and one
 * for each sum of a row, and more steps never have wider strips. */
static void check_shallow(const KernelSet *set, Family family, int registers)
{
    assert_true((set->nshallow > 0) == (family_unit(family) == 1));
    for (int k = 1; k <= set->nshallow; k++) {
        const int width = set->shallow[k - 1];
        assert_true(width >= 1 && (k + 1) * width < registers);
        assert_true(k == 1 || width <= set->shallow[k - 2]);
    }
}

static const struct {
    const char *isa;
    int registers;
} register_files[] = {{"avx512vnni", 32}, {"avx512bf16", 32}, {"avx512", 32}, {"avx2", 16}, {"neon", 32}, {"portable", 16}};

static int registers_of(const char *isa)
{
    for (size_t i = 0; i < sizeof register_files / sizeof *register_files; i++)
        if (strcmp(register_files[i].isa, isa) == 0)
            return register_files[i].registers;
    fail_msg("no register file of %s", isa);
    return 0;
}

static void test_enumeration(void **state)
{
    (void)state;
    Arena *arena = arena_new();
    for (Family family = 0; family < FAM_COUNT; family++) {
        const KernelSet *sets = sets_of(arena, family, options(0));
        for (int i = 0; i < kernel_set_count(family, &kernel_defaults); i++) {
            const int registers = registers_of(sets[i].isa), products = family == FAM_I32; /* added by an instruction of their own */
            check_set(&sets[i], registers - products);
            check_shallow(&sets[i], family, registers);
            /* Nothing that fits is left out, as far as pointers to rows go. */
            for (int nv = 1; nv < COVER_WIDTHS; nv++)
                for (int mr = 1; mr <= 24; mr++)
                    assert_int_equal(find(&sets[i], mr, nv) != NULL, mr * nv + (mr < nv ? mr : nv) + 1 + products <= registers);
        }
    }
    arena_free(arena);
}

/* ---------------------------------------------------------------- kept */

static void test_kept(void **state)
{
    (void)state;
    static const int limits[] = {1, 2, 5, 12, 25, 40, 0};
    enum { COUNT = sizeof limits / sizeof *limits };
    Arena *arena = arena_new();
    const KernelSet *sets[COUNT];
    for (int j = 0; j < COUNT; j++)
        sets[j] = sets_of(arena, FAM_F32, options(limits[j]));
    for (int i = 0; i < kernel_set_count(FAM_F32, &kernel_defaults); i++)
        for (int j = 0; j < COUNT; j++) {
            const KernelSet *set = &sets[j][i];
            check_set(set, registers_of(set->isa));
            if (limits[j])
                assert_in_range(set->ntiles, 1, limits[j]);
            for (int k = 0; k < set->ntiles && j + 1 < COUNT; k++) /* a smaller set is part of a larger one */
                assert_non_null(find(&sets[j + 1][i], set->tiles[k].mr, set->tiles[k].nv));
        }
    assert_int_equal(sets[0][0].ntiles, 1);
    assert_in_range(sets[5][0].ntiles, 30, 40);
    assert_true(sets[6][0].ntiles > 60);
    arena_free(arena);
}

static void test_same_every_time(void **state)
{
    (void)state;
    Arena *arena = arena_new();
    const KernelSet *a = sets_of(arena, FAM_F64, options(20)), *b = sets_of(arena, FAM_F64, options(20));
    for (int i = 0; i < kernel_set_count(FAM_F32, &kernel_defaults); i++) {
        assert_int_equal(a[i].ntiles, b[i].ntiles);
        assert_memory_equal(a[i].tiles, b[i].tiles, sizeof *a[i].tiles * (size_t)a[i].ntiles);
    }
    arena_free(arena);
}

/* Measured costs decide: what they show to be slow goes, what they show to be fast stays. */
static void test_costs_decide(void **state)
{
    (void)state;
    Arena *arena = arena_new();
    const KernelOptions opt = options(20);
    const KernelSet *whole = sets_of(arena, FAM_F32, options(0)), *kept = sets_of(arena, FAM_F32, opt);
    const TileKernel *tall = find(&kept[0], 14, 2);
    assert_non_null(tall); /* by the analytical costs the best of all */
    assert_null(find(&kept[0], 3, 7));
    KernelSet set = whole[0];
    for (int i = 0; i < set.ntiles; i++)
        for (int k = 0; k < G_KNOTS; k++) {
            if (set.tiles[i].mr == 14 && set.tiles[i].nv == 2)
                set.tiles[i].g[k] *= 2;
            if (set.tiles[i].mr == 3 && set.tiles[i].nv == 7)
                set.tiles[i].g[k] /= 2;
        }
    rank_tiles(arena, &set, 4, &opt);
    assert_null(find(&set, 14, 2));
    assert_non_null(find(&set, 3, 7));
    arena_free(arena);
}

/* ---------------------------------------------------------------- blocks */

static void check_blocks(const KernelSet *set, int bytes, const KernelOptions *opt)
{
    for (int i = 0; i < set->ntiles; i++) {
        const TileKernel *t = &set->tiles[i];
        const int nr = t->nv * set->lanes, most = 16 * opt->n_gen;
        assert_true(t->uM > 0 && t->uM % t->mr == 0 && t->uM <= (most > t->mr ? most : t->mr));
        assert_true(t->uN > 0 && t->uN % nr == 0 && t->uN <= (most > nr ? most : nr));
        assert_true(t->uK > 0 && t->uK % 16 == 0 && t->uK <= most);
        assert_true(t->uM * t->uK * bytes <= set->move.l2_bytes && t->uN * t->uK * bytes <= set->move.l3_bytes);
    }
}

/* None of all blocks within the caches is faster than the one that was chosen from the largest. */
static void check_best_block(const KernelSet *set, const TileKernel *tile, int bytes, const KernelOptions *opt)
{
    const double chosen = average_speed(set, tile, bytes, opt->n_syn);
    const int nr = tile->nv * set->lanes;
    TileKernel other = *tile;
    for (int i = 1; i <= opt->n_gen; i++)
        for (int j = 1; j <= opt->n_gen; j++)
            for (int k = 1; k <= opt->n_gen; k++) {
                other.uM = 16 * i / tile->mr * tile->mr;
                other.uN = 16 * j / nr * nr;
                other.uK = 16 * k;
                if (other.uM && other.uN && other.uM * other.uK * bytes <= set->move.l2_bytes &&
                    other.uN * other.uK * bytes <= set->move.l3_bytes)
                    assert_true(average_speed(set, &other, bytes, opt->n_syn) <= chosen * (1 + 1e-9));
            }
}

static void test_blocks(void **state)
{
    (void)state;
    Arena *arena = arena_new();
    for (int n_gen = 1; n_gen <= 32; n_gen *= 2)
        for (int n_syn = 1; n_syn <= RANK_MAX_SYN; n_syn += 4) {
            const KernelOptions opt = {.n_gen = n_gen, .n_syn = n_syn, .n_mik = 10};
            const KernelSet *sets = sets_of(arena, FAM_F32, opt);
            for (int i = 0; i < kernel_set_count(FAM_F32, &kernel_defaults); i++)
                check_blocks(&sets[i], 4, &opt);
        }
    /* Caches so small that they bound every side. */
    const KernelOptions opt = {.n_gen = 9, .n_syn = 9, .n_mik = 0};
    KernelSet set = sets_of(arena, FAM_F32, opt)[0];
    set.move.near_bytes = 4000;
    set.move.l2_bytes = 24000;
    set.move.l3_bytes = 30000;
    rank_tiles(arena, &set, 4, &opt);
    check_blocks(&set, 4, &opt);
    for (int i = 0; i < set.ntiles; i += 7)
        check_best_block(&set, &set.tiles[i], 4, &opt);
    arena_free(arena);
}

/* ---------------------------------------------------------------- what a smaller set costs */

/* The sets as they were written down before there was a ranking: the greatest height of each width. */
static const struct {
    const char *isa;
    int top[COVER_WIDTHS];
} by_hand[] = {
    {"avx512", {[1] = 14, [2] = 14, [3] = 8, [4] = 6, [6] = 4, [8] = 3, [16] = 1}},
    {"avx2", {[1] = 12, [2] = 6, [3] = 4, [4] = 2, [8] = 1}},
    {"neon", {[1] = 8, [2] = 8, [3] = 8, [4] = 6, [8] = 1}},
    {"portable", {[1] = 8, [2] = 4, [3] = 4, [4] = 2, [8] = 1}},
};

static KernelSet hand_written(Arena *arena, const KernelSet *whole)
{
    KernelSet set = *whole;
    set.tiles = arena_new_array(arena, TileKernel, whole->ntiles);
    set.ntiles = 0;
    for (size_t h = 0; h < sizeof by_hand / sizeof *by_hand; h++)
        for (int i = 0; i < whole->ntiles && strcmp(by_hand[h].isa, whole->isa) == 0; i++)
            if (whole->tiles[i].mr <= by_hand[h].top[whole->tiles[i].nv])
                set.tiles[set.ntiles++] = whole->tiles[i];
    assert_true(set.ntiles > 0);
    return set;
}

/* Nanoseconds of the best cover by the set's kernels, and of the call. */
static double predicted(Arena *arena, const KernelSet *set, int m, int n, int k) { return 50 + cover_2d(arena, set, m, n, k, true)->time; }

static uint32_t random_state;

/* 1 <= x <= most, log-uniform. */
static int draw(int most)
{
    random_state = random_state * 1664525u + 1013904223u;
    return (int)exp(random_state / 4294967296.0 * log(most + 1.0));
}

/* The set of the default size against all kernels and against the set written by hand, over 300 shapes. */
static void test_cost_of_choice(void **state)
{
    (void)state;
    enum { SHAPES = 300 };
    Arena *arena = arena_new();
    const KernelSet *whole = sets_of(arena, FAM_F32, options(0)), *ranked = sets_of(arena, FAM_F32, kernel_defaults);
    for (int i = 0; i < kernel_set_count(FAM_F32, &kernel_defaults); i++) {
        const KernelSet hand = hand_written(arena, &whole[i]);
        double mean = 0, worst = 0, mean_hand = 0, worst_hand = 0, worst_long = 0;
        random_state = 5;
        for (int shape = 0; shape < SHAPES; shape++) {
            const int m = shape % 3 ? draw(4096) : draw(64), n = draw(4096), k = draw(4096);
            const double time = predicted(arena, &ranked[i], m, n, k);
            const double best = predicted(arena, &whole[i], m, n, k), old = predicted(arena, &hand, m, n, k);
            mean += log(time / best) / SHAPES;
            mean_hand += log(time / old) / SHAPES;
            worst = fmax(worst, time / best);
            worst_hand = fmax(worst_hand, time / old);
            if (k >= COVER_STEPS)
                worst_long = fmax(worst_long, time / old);
        }
        print_message("%s: %d kernels; time over that of all %d: %.4f, worst %.4f; of %d by hand: %.4f, worst %.4f, long sums %.4f\n",
                      ranked[i].isa, ranked[i].ntiles, whole[i].ntiles, exp(mean), worst, hand.ntiles, exp(mean_hand), worst_hand,
                      worst_long);
        assert_true(exp(mean) <= 1.01 && worst <= 1.15);
        assert_true(exp(mean_hand) <= 1 && worst_hand <= 1.12 && worst_long <= 1.12);
    }
    arena_free(arena);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_enumeration),  cmocka_unit_test(test_kept),   cmocka_unit_test(test_same_every_time),
        cmocka_unit_test(test_costs_decide), cmocka_unit_test(test_blocks), cmocka_unit_test(test_cost_of_choice),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
