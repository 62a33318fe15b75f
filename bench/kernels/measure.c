/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Times the micro-kernels of a generated file, for bench/kernels.sh, which compiles this into a library with
 *
 *   -DSOURCE='"gemm.c"' -DFAMILY=f32
 *
 * All operands are in the first cache; a call's nanoseconds are the least of three runs.
 */
#include SOURCE
#include <time.h>

#define JOIN_(x, y, z) x##y##z
#define JOIN(x, y, z)  JOIN_(x, y, z)
#define CHOOSE         JOIN(mik_, FAMILY, _choose)
typedef JOIN(mik_, FAMILY, _tile) Tile;
typedef JOIN(mik_, FAMILY, _isa) Isa;
typedef JOIN(mik_, FAMILY, _kernel) Kernel;

enum { ROOM = 1 << 17, STEPS = 64, DOT_STEPS = 500 };
static char a[ROOM] __attribute__((aligned(4096))), b[ROOM] __attribute__((aligned(4096))), c[ROOM] __attribute__((aligned(4096)));

static double now(void)
{
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (double)t.tv_sec * 1e9 + (double)t.tv_nsec;
}

static double time_of(Kernel *run, const Tile *t)
{
    enum { CALLS = 400 };
    double best = 1e30;
    for (int round = 0; round < 3; round++) {
        const double start = now();
        for (int i = 0; i < CALLS; i++)
            run(t);
        const double each = (now() - start) / CALLS;
        best = each < best ? each : best;
    }
    return best;
}

/* The number of tile kernels of an instruction set, and of kernels altogether: dot kernels follow. */
int kernels_tiles(int isa) { return CHOOSE(isa)->count; }
int kernels_count(int isa) { return CHOOSE(isa)->count + 4 * 16; }

/* Kernel i's name in `name`, of 64 bytes; 0 when there is none. */
int kernels_name(int isa, int i, char *name)
{
    const Isa *s = CHOOSE(isa);
    const int rows = (i - s->count) / 4 + 1, cols = (i - s->count) % 4 + 1;
    if (i < s->count)
        snprintf(name, 64, "%s %dx%d", s->name, s->variants[i].mr, s->variants[i].nv);
    else if (rows <= s->dot_rows[cols - 1] && s->dots[4 * (rows - 1) + cols - 1])
        snprintf(name, 64, "%s dot %dx%d", s->name, rows, cols);
    else
        return 0;
    return 1;
}

/* Nanoseconds of a call; of tile kernels on packed panels or on rows in place. */
double kernels_time(int isa, int i, int packed)
{
    const Isa *s = CHOOSE(isa);
    const int64_t unit = JOIN(MIK_, UPPER, _UNIT);
    Tile t;
    memset(&t, 0, sizeof t);
    t.a = (const void *)(a + 64), t.b = (const void *)(b + 1088), t.c = (void *)(c + 2112);
    t.b_n = t.c_n = 1;
    if (i >= s->count) {
        t.k = DOT_STEPS;
        t.a_m = t.b_n = (DOT_STEPS + 32) * unit;
        t.a_k = 1;
        t.c_m = 4;
        return time_of(s->dots[i - s->count], &t);
    }
    const int mr = s->variants[i].mr, nv = s->variants[i].nv;
    t.k = STEPS;
    t.a_m = packed ? unit : (STEPS + 4) * unit;
    t.a_k = packed ? mr * unit : unit;
    t.b_k = t.prefetch_k = nv * s->lanes * unit;
    t.c_m = t.cols = nv * s->lanes;
    t.prefetch = t.b + 8 * t.b_k;
    return time_of(s->variants[i].run, &t);
}
