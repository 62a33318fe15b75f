/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Times three variants of one operator: before, halide and full, on the same data, one thread, interleaved.
 *
 *   time ROUNDS     compares the results bit for bit, then prints
 *                   "before_ms halide_ms full_ms before/halide before/full": best times, medians of the rounds' ratios
 *   time -VARIANT   runs variant 0, 1 or 2 once: for instruction counts
 *
 * Time is the thread's, so that a busy machine disturbs less.
 *
 * operator.h, made by licm.sh, names the operator's arrays:
 *   ARRAYS(X)   X(index, element type, number of elements, is written) for every parameter
 *   CALL(f)     the call of f with p[0], p[1], ...
 *   and the type Operator of the function. */
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "operator.h"

extern Operator before, halide, full;

enum { VARIANTS = 3, MAX_ROUNDS = 199 };

#define ONE(index, type, count, written) +1
enum { NARRAYS = 0 ARRAYS(ONE) };

static void *p[NARRAYS], *initial[NARRAYS], *expected[NARRAYS];
#define BYTES(index, type, count, written) sizeof(type) * (size_t)(count),
static const size_t bytes[] = {ARRAYS(BYTES)};
#define WRITTEN(index, type, count, written) written,
static const int is_written[] = {ARRAYS(WRITTEN)};

static void run(int variant)
{
    switch (variant) {
    case 0: CALL(before); break;
    case 1: CALL(halide); break;
    default: CALL(full); break;
    }
}

static uint32_t state = 1;

static int random_below(int n)
{
    state = state * 1664525u + 1013904223u;
    return (int)((state >> 8) % (uint32_t)n);
}

/* Multiples of 1/64 in [-1, 1); integers in [-8, 7], unsigned ones in [0, 15]. */
#define FILL(index, type, count, written) \
    for (size_t i = 0; i < (size_t)(count); i++) { \
        int v = random_below(128) - 64, is_float = (type)0.5 != 0; \
        ((type *)initial[index])[i] = is_float ? (type)(v / 64.0) : (type)((type) - 1 < (type)0 ? v / 8 : (v + 64) / 8); \
    }

static void *memory(size_t size)
{
    void *m = aligned_alloc(4096, (size + 4095) / 4096 * 4096);
    if (!m)
        exit(2);
    return memset(m, 0, size);
}

static void set_up(void)
{
    for (int i = 0; i < NARRAYS; i++) {
        p[i] = memory(bytes[i]);
        initial[i] = memory(bytes[i]);
        expected[i] = memory(bytes[i]);
    }
    ARRAYS(FILL)
}

static void reset(void)
{
    for (int i = 0; i < NARRAYS; i++)
        memcpy(p[i], initial[i], bytes[i]);
}

static int compare(void)
{
    for (int v = 0; v < VARIANTS; v++) {
        reset();
        run(v);
        for (int i = 0; i < NARRAYS; i++) {
            if (v == 0)
                memcpy(expected[i], p[i], bytes[i]);
            else if (memcmp(expected[i], p[i], bytes[i]) != 0) {
                fprintf(stderr, "array %d of variant %d differs\n", i, v);
                return 0;
            }
            if (v == 0 && is_written[i] && memcmp(initial[i], p[i], bytes[i]) == 0) {
                fprintf(stderr, "array %d is not written\n", i);
                return 0;
            }
        }
    }
    return 1;
}

static double milliseconds(int variant, int calls)
{
    struct timespec start, end;
    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &start);
    for (int i = 0; i < calls; i++)
        run(variant);
    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &end);
    return ((double)(end.tv_sec - start.tv_sec) * 1e3 + (double)(end.tv_nsec - start.tv_nsec) / 1e6) / calls;
}

static int ascending(const void *a, const void *b)
{
    double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

static double median(double *values, int n)
{
    qsort(values, (size_t)n, sizeof *values, ascending);
    return n % 2 ? values[n / 2] : (values[n / 2 - 1] + values[n / 2]) / 2;
}

/* A round of one variant takes at least two milliseconds. */
static void time_all(int rounds)
{
    double ms[VARIANTS], best[VARIANTS], ratio[VARIANTS][MAX_ROUNDS];
    int calls[VARIANTS];
    for (int v = 0; v < VARIANTS; v++) {
        best[v] = milliseconds(v, 1);
        calls[v] = best[v] < 2 ? 1 + (int)(2 / best[v]) : 1;
    }
    for (int r = 0; r < rounds; r++)
        for (int v = 0; v < VARIANTS; v++) {
            ms[v] = milliseconds(v, calls[v]);
            best[v] = ms[v] < best[v] ? ms[v] : best[v];
            ratio[v][r] = ms[0] / ms[v];
        }
    printf("%.4f %.4f %.4f %.3f %.3f\n", best[0], best[1], best[2], median(ratio[1], rounds), median(ratio[2], rounds));
}

int main(int argc, char **argv)
{
    int number = argc == 2 ? atoi(argv[1]) : 0;
    set_up();
    reset();
    if (argc == 2 && argv[1][0] == '-') {
        run(-number);
        return 0;
    }
    if (number < 1 || number > MAX_ROUNDS) {
        fputs("usage: time ROUNDS | -VARIANT\n", stderr);
        return 2;
    }
    if (!compare())
        return 1;
    time_all(number);
    return 0;
}
