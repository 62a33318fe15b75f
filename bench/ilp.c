/* SPDX-License-Identifier: GPL-3.0-or-later */
/* How fast and how well integer programs cover outputs exactly with micro-kernels (DynaChain, section 3.2): random
 * shapes, solved as the generator does, against dynamic programming; and the paper's example of 4 x 144 outputs.
 *
 *   ilp [--shapes=N] [--seed=S] [--rounds=R]
 *
 * Sides are uniform in 32 .. 512. Each shape is solved R times and its fastest time counts, so that the worst time tells of
 * programs rather than of other processes. Exit status 1 if some solution is worse than the recursion's. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "plan/kernels/cover2d.h"
#include "plan/kernels/kernel.h"

enum { LOW = 32, HIGH = 512, STEPS = 256 };

static double now_ms(void)
{
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (double)t.tv_sec * 1e3 + (double)t.tv_nsec * 1e-6;
}

static bool same(double a, double b) { return a <= b * (1 + 1e-9) && b <= a * (1 + 1e-9); }

/* ---------------------------------------------------------------- one priority after the other */

/* The tiles of one width, by height. */
static int heights_of(const KernelSet *set, int nv, CoverItem *items)
{
    int n = 0;
    for (int i = 0; i < set->ntiles; i++)
        if (set->tiles[i].nv == nv)
            items[n++] = (CoverItem){set->tiles[i].mr, tile_time(&set->tiles[i], STEPS)};
    return n;
}

/* Widths first, by the best rate of each, then the heights of the widths chosen: the paper's order of priorities, and
 * that of the tables in emitted files. Returns the time of the cover. */
static double widths_then_heights(Arena *arena, const KernelSet *set, int m, int vectors, bool dp)
{
    CoverItem widths[COVER_WIDTHS], heights[COVER_HEIGHTS];
    int64_t strips[COVER_WIDTHS], tiles[COVER_HEIGHTS];
    int n = 0;
    double time = 0;
    Ilp *ilp = dp ? NULL : ilp_new(arena, ILP_TIME_LIMIT);
    for (int nv = 1; nv < COVER_WIDTHS; nv++) {
        const int count = heights_of(set, nv, heights);
        double rate = COVER_NONE;
        for (int i = 0; i < count; i++)
            if (heights[i].time / heights[i].side < rate)
                rate = heights[i].time / heights[i].side;
        if (count)
            widths[n++] = (CoverItem){nv, rate};
    }
    cover_length(arena, ilp, widths, n, vectors, dp, strips);
    for (int i = 0; i < n; i++)
        if (strips[i]) {
            const int count = heights_of(set, widths[i].side, heights);
            time += (double)strips[i] * cover_length(arena, ilp, heights, count, m, dp, tiles);
        }
    if (ilp)
        ilp_free(ilp);
    return time;
}

static double whole_output(Arena *arena, const KernelSet *set, int m, int vectors, bool dp)
{
    return cover_2d(arena, set, m, (int64_t)vectors * set->lanes, STEPS, dp)->time;
}

/* The best of all ways to cut m x vectors by straight cuts through, to any depth: what no cover in two stages can beat. */
static double any_cuts(Arena *arena, const KernelSet *set, int m, int vectors)
{
    const int width = vectors + 1;
    double *best = arena_new_array(arena, double, (m + 1) * width);
    for (int r = 1; r <= m; r++)
        for (int c = 1; c <= vectors; c++) {
            double *b = &best[r * width + c];
            *b = COVER_NONE;
            for (int i = 0; i < set->ntiles; i++)
                if (set->tiles[i].mr == r && set->tiles[i].nv == c)
                    *b = tile_time(&set->tiles[i], STEPS);
            for (int cut = 1; 2 * cut <= r; cut++)
                if (best[cut * width + c] + best[(r - cut) * width + c] < *b)
                    *b = best[cut * width + c] + best[(r - cut) * width + c];
            for (int cut = 1; 2 * cut <= c; cut++)
                if (best[r * width + cut] + best[r * width + c - cut] < *b)
                    *b = best[r * width + cut] + best[r * width + c - cut];
        }
    return best[m * width + vectors];
}

/* ---------------------------------------------------------------- random shapes */

typedef struct Method {
    const char *name;
    double (*solve)(Arena *, const KernelSet *, int m, int vectors, bool dp);
    double *ms;                 /* of each shape */
    int proven;                 /* equal to the recursion */
    int optimal;                /* equal to the best cover in two stages, of either order */
    double worst_gap, worst_any, sum_any; /* over that; over any cuts */
} Method;

static int ascending(const void *a, const void *b)
{
    const double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

static void run(Method *method, const KernelSet *set, int index, int m, int vectors, int rounds, double best, double any)
{
    double least = 1e300, time = 0;
    for (int round = 0; round < rounds; round++) {
        Arena *arena = arena_new();
        const double start = now_ms();
        time = method->solve(arena, set, m, vectors, false);
        const double ms = now_ms() - start;
        least = ms < least ? ms : least;
        arena_free(arena);
    }
    Arena *arena = arena_new();
    method->ms[index] = least;
    method->proven += same(time, method->solve(arena, set, m, vectors, true));
    method->optimal += same(time, best);
    method->worst_gap = time / best - 1 > method->worst_gap ? time / best - 1 : method->worst_gap;
    method->worst_any = time / any - 1 > method->worst_any ? time / any - 1 : method->worst_any;
    method->sum_any += time / any - 1;
    arena_free(arena);
}

static void report(Method *method, int shapes)
{
    qsort(method->ms, (size_t)shapes, sizeof *method->ms, ascending);
    printf("%-26s %8.3f %8.3f %8.3f %9.1f %% %9.1f %% %8.2f %% %8.2f %% %8.2f %%\n", method->name, method->ms[shapes / 2],
           method->ms[shapes * 95 / 100], method->ms[shapes - 1], 100.0 * method->proven / shapes, 100.0 * method->optimal / shapes,
           100 * method->worst_gap, 100 * method->sum_any / shapes, 100 * method->worst_any);
}

static bool random_shapes(const KernelSet *set, int shapes, uint32_t seed, int rounds)
{
    Method methods[] = {{.name = "widths, then heights", .solve = widths_then_heights},
                        {.name = "both sides of the output", .solve = whole_output}};
    enum { METHODS = sizeof methods / sizeof *methods };
    for (int i = 0; i < METHODS; i++)
        methods[i].ms = calloc((size_t)shapes, sizeof(double));
    for (int shape = 0; shape < shapes; shape++) {
        int side[2];
        for (int i = 0; i < 2; i++) {
            seed = seed * 1664525u + 1013904223u;
            side[i] = LOW + (int)((uint64_t)seed * (HIGH - LOW + 1) >> 32);
        }
        const int vectors = (side[1] + set->lanes - 1) / set->lanes;
        Arena *arena = arena_new();
        const double best = whole_output(arena, set, side[0], vectors, true), any = any_cuts(arena, set, side[0], vectors);
        for (int i = 0; i < METHODS; i++)
            run(&methods[i], set, shape, side[0], vectors, rounds, best, any);
        arena_free(arena);
    }
    printf("%d shapes with sides %d..%d, %d kernels of %s in vectors of %d, sums of %d steps\n\n", shapes, LOW, HIGH, set->ntiles, set->isa,
           set->lanes, STEPS);
    printf("%-26s %8s %8s %8s %11s %11s %10s %10s %10s\n", "", "", "ms", "", "equal to", "best in", "over it,", "over any", "over any");
    printf("%-26s %8s %8s %8s %11s %11s %10s %10s %10s\n", "integer programs over", "median", "95 %", "worst", "recursion", "two stages",
           "worst", "cuts, mean", "cuts, worst");
    bool proven = true;
    for (int i = 0; i < METHODS; i++) {
        report(&methods[i], shapes);
        proven = proven && methods[i].proven == shapes;
        free(methods[i].ms);
    }
    printf("%-26s %8.3f %8s %8s %11s %9.1f %% %8.2f %%\n\n", "the paper", 420.0, "", "", "", 97.8, 0.4);
    return proven;
}

/* All tables of one emitted file, as they are solved at every generation. */
static void tables(const KernelSet *sets, int rounds)
{
    printf("All tables of an f32 file, ms:");
    for (int i = 0; i < kernel_set_count(FAM_F32, &kernel_defaults); i++) {
        double least = 1e300;
        for (int round = 0; round < rounds; round++) {
            Arena *arena = arena_new();
            const double start = now_ms();
            cover_tables(arena, sets[i].tiles, sets[i].ntiles);
            const double ms = now_ms() - start;
            least = ms < least ? ms : least;
            arena_free(arena);
        }
        printf(" %s %.1f%s", sets[i].isa, least, i + 1 < kernel_set_count(FAM_F32, &kernel_defaults) ? "," : "\n\n");
    }
}

/* ---------------------------------------------------------------- 4 x 144 */

/* `count` tiles of mr rows and nv vectors. */
typedef struct Use {
    int mr, nv, count;
} Use;

static const TileKernel *tile_of(const KernelSet *set, int mr, int nv)
{
    for (int i = 0; i < set->ntiles; i++)
        if (set->tiles[i].mr == mr && set->tiles[i].nv == nv)
            return &set->tiles[i];
    return NULL;
}

/* A line of the table: outputs that are wanted over those computed; and time at the rate of the fastest kernel over the
 * tiles' time. */
static void line(const KernelSet *set, double rate, const char *name, const Use *uses, int n, const char *paper)
{
    const int wanted = 4 * 144 / set->lanes;
    char text[80] = "";
    double time = 0;
    int computed = 0;
    for (int i = 0; i < n; i++) {
        const size_t used = strlen(text);
        snprintf(text + used, sizeof text - used, "%s%d of %dx%d", i ? ", " : "", uses[i].count, uses[i].mr, uses[i].nv * set->lanes);
        time += uses[i].count * tile_time(tile_of(set, uses[i].mr, uses[i].nv), STEPS);
        computed += uses[i].count * uses[i].mr * uses[i].nv;
    }
    printf("%-22s %-34s %6.0f %% %9.0f %%   %s\n", name, text, 100.0 * wanted / computed, 100 * wanted * rate / time, paper);
}

static void example(Arena *arena, const KernelSet *set)
{
    double rate = 1e300;
    for (int i = 0; i < set->ntiles; i++) {
        const double r = tile_time(&set->tiles[i], STEPS) / (set->tiles[i].mr * set->tiles[i].nv);
        rate = r < rate ? r : rate;
    }
    const Use padded[] = {{3, 4, 6}}, auxiliary[] = {{3, 4, 2}, {1, 4, 2}, {4, 1, 1}}, exact[] = {{4, 4, 1}, {4, 5, 1}};
    printf("4 x 144 outputs; utilisation by outputs, and by time under the model (1: every tile as fast per output as the fastest)\n");
    printf("%-22s %-34s %8s %11s   %s\n", "", "tiles", "outputs", "time", "paper");
    line(set, rate, "padded to 3x64", padded, 1, "50 %");
    line(set, rate, "auxiliary kernels", auxiliary, 3, "67 %");
    line(set, rate, "the paper's cover", exact, 2, "exact");
    const Cover2d *cover = cover_2d(arena, set, 4, 144, STEPS, false);
    Use found[COVER_HEIGHTS];
    int n = 0;
    for (int i = 0; i < cover->nbands; i++)
        for (int j = 0; j < cover->bands[i].nparts && n < COVER_HEIGHTS; j++) {
            const CoverBand *b = &cover->bands[i];
            const int count = (int)(b->band.count * b->parts[j].count), band = b->band.side, part = b->parts[j].side;
            found[n++] = cover->rows_first ? (Use){band, part, count} : (Use){part, band, count};
        }
    line(set, rate, "solved", found, n, "");
}

/* ---------------------------------------------------------------- */

int main(int argc, char **argv)
{
    int shapes = 1000, rounds = 3;
    uint32_t seed = 1;
    for (int i = 1; i < argc; i++)
        if (sscanf(argv[i], "--shapes=%d", &shapes) != 1 && sscanf(argv[i], "--seed=%u", &seed) != 1 &&
            sscanf(argv[i], "--rounds=%d", &rounds) != 1) {
            fprintf(stderr, "usage: ilp [--shapes=N] [--seed=S] [--rounds=R]\n");
            return 2;
        }
    if (shapes < 1 || rounds < 1) {
        fprintf(stderr, "ilp: at least one shape and one round\n");
        return 2;
    }
    Arena *arena = arena_new();
    KernelOptions all = kernel_defaults;
    all.n_mik = 0;
    const KernelSet *kept = kernel_sets(arena, FAM_F32, &kernel_defaults), *whole = kernel_sets(arena, FAM_F32, &all);
    const bool proven = random_shapes(&kept[0], shapes, seed, rounds);
    tables(kept, rounds);
    example(arena, &whole[0]);
    arena_free(arena);
    return proven ? 0 : 1;
}
