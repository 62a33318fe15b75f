/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "machine.h"

#include <math.h>
#include <sched.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "library.h"

/* Compiled for this machine: the widest vectors, as many accumulators as registers allow. */
#if defined(__AVX512F__)
enum { BYTES = 64, ACCUMULATORS = 24 };
#elif defined(__AVX__)
enum { BYTES = 32, ACCUMULATORS = 12 };
#else
enum { BYTES = 16, ACCUMULATORS = 12 };
#endif
typedef float Floats __attribute__((vector_size(BYTES), aligned(4), may_alias));
typedef double Doubles __attribute__((vector_size(BYTES), aligned(8), may_alias));

typedef struct FmaLoop {
    int steps;
    volatile double sink[16 * POOL_MOST];
} FmaLoop;

static double read_clock(clockid_t clock)
{
    struct timespec t;
    clock_gettime(clock, &t);
    return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

double seconds(void) { return read_clock(CLOCK_MONOTONIC); }
double thread_seconds(void) { return read_clock(CLOCK_THREAD_CPUTIME_ID); }

bool run_first(void) { return sched_setscheduler(0, SCHED_FIFO, &(struct sched_param){.sched_priority = 1}) == 0; }

/* Not sysconf, which on some processors adds up what no core can use alone. */
size_t last_level_cache(void)
{
    FILE *file = fopen("/sys/devices/system/cpu/cpu0/cache/index3/size", "r");
    int kilobytes = 0;
    if (file) {
        if (fscanf(file, "%dK", &kilobytes) != 1)
            kilobytes = 0;
        fclose(file);
    }
    return kilobytes > 0 ? (size_t)kilobytes << 10 : (size_t)32 << 20;
}

/* One multiply-add on each accumulator a step; what is stored keeps them from being dropped. */
#define FMA_LOOP(name, Vector, scalar) \
    static void name(void *arg, int i) \
    { \
        FmaLoop *loop = arg; \
        Vector sum[ACCUMULATORS], x, y; \
        memset(sum, 0, sizeof sum); \
        for (unsigned l = 0; l < BYTES / sizeof(scalar); l++) { \
            x[l] = (scalar)0.5; \
            y[l] = (scalar)l; \
        } \
        for (int step = 0; step < loop->steps; step++) { \
            __asm__ volatile("" : "+x"(x), "+x"(y)); \
            _Pragma("GCC unroll 24") for (int a = 0; a < ACCUMULATORS; a++) sum[a] = sum[a] * x + y; \
        } \
        for (int a = 1; a < ACCUMULATORS; a++) \
            sum[0] += sum[a]; \
        loop->sink[16 * i] = (double)sum[0][0]; \
    }
FMA_LOOP(fma_f32, Floats, float)
FMA_LOOP(fma_f64, Doubles, double)

/* GFLOP/s of one run of the loop on all threads. */
static double fma_speed(int type, Pool *pool, int steps)
{
    FmaLoop loop = {.steps = steps};
    int threads = pool_threads(pool);
    double lanes = type == F32 ? BYTES / 4 : BYTES / 8, begin = seconds();
    pool_for(pool, threads, type == F32 ? fma_f32 : fma_f64, &loop);
    return 2e-9 * lanes * ACCUMULATORS * steps * threads / (seconds() - begin);
}

double fma_peak(int type, Pool *pool)
{
    double best = 0;
    for (int i = 0; i < 4; i++)
        best = fmax(best, fma_speed(type, pool, 200000));
    return best;
}

double fma_now(Pool *pool)
{
    fma_speed(F32, pool, 1000); /* sleeping threads wake up */
    return fmax(fma_speed(F32, pool, 5000), fma_speed(F32, pool, 5000));
}

typedef struct Reading {
    const char *array;
    size_t bytes; /* of a stream; a multiple of STEP */
    int streams;
    volatile float sink[16 * POOL_MOST];
} Reading;

enum { STEP = 4 * BYTES };

static void read_part(void *arg, int i)
{
    Reading *reading = arg;
    const char *part = reading->array + (size_t)(i * reading->streams) * reading->bytes;
    Floats sum[4];
    memset(sum, 0, sizeof sum);
    for (size_t at = 0; at < reading->bytes; at += STEP)
        for (int stream = 0; stream < reading->streams; stream++)
            for (size_t v = 0; v < 4; v++)
                sum[v] += *(const Floats *)(part + (size_t)stream * reading->bytes + at + v * BYTES);
    sum[0] += sum[1] + sum[2] + sum[3];
    reading->sink[16 * i] = sum[0][0];
}

void read_array(Pool *pool, const void *array, size_t bytes, int streams)
{
    int threads = pool_threads(pool);
    Reading reading = {.array = array, .streams = streams};
    reading.bytes = bytes / (size_t)(threads * streams) / STEP * STEP;
    pool_for(pool, threads, read_part, &reading);
}

double read_bandwidth(Pool *pool)
{
    size_t bytes = 8 * last_level_cache();
    char *array = malloc(bytes);
    double best = INFINITY;
    if (!array)
        abort();
    memset(array, 1, bytes);
    for (int i = 0; i < 12; i++) {
        double begin = seconds();
        read_array(pool, array, bytes, 1 << i % 4);
        best = fmin(best, seconds() - begin);
    }
    free(array);
    return 1e-9 * (double)bytes / best;
}
