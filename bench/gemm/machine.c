#include "machine.h"

#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "library.h"
#include "pool.h"

/* Compiled for this machine: the widest vectors, as many accumulators as registers allow. */
#if defined(__AVX512F__)
enum { BYTES = 64, ACCUMULATORS = 24 };
#else
enum { BYTES = 32, ACCUMULATORS = 12 };
#endif
typedef float Floats __attribute__((vector_size(BYTES), aligned(4), may_alias));
typedef double Doubles __attribute__((vector_size(BYTES), aligned(8), may_alias));

enum { MAX_THREADS = 64, STEPS = 200000 };

double seconds(void)
{
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

size_t last_level_cache(void)
{
    long bytes = sysconf(_SC_LEVEL3_CACHE_SIZE);
    return bytes > 0 ? (size_t)bytes : (size_t)32 << 20;
}

/* STEPS multiply-adds on each accumulator; what is stored keeps them from being dropped. */
#define FMA_LOOP(name, Vector, scalar)                                 \
    static void name(void *arg, int i)                                 \
    {                                                                  \
        Vector sum[ACCUMULATORS], x, y;                                \
        memset(sum, 0, sizeof sum);                                    \
        for (unsigned l = 0; l < BYTES / sizeof(scalar); l++) {        \
            x[l] = (scalar)0.5;                                        \
            y[l] = (scalar)l;                                          \
        }                                                              \
        for (int step = 0; step < STEPS; step++) {                     \
            __asm__ volatile("" : "+x"(x), "+x"(y));                   \
            _Pragma("GCC unroll 24")                                   \
            for (int a = 0; a < ACCUMULATORS; a++)                     \
                sum[a] = sum[a] * x + y;                               \
        }                                                              \
        for (int a = 1; a < ACCUMULATORS; a++)                         \
            sum[0] += sum[a];                                          \
        ((volatile scalar *)arg)[16 * i] = sum[0][0];                  \
    }
FMA_LOOP(fma_f32, Floats, float)
FMA_LOOP(fma_f64, Doubles, double)

static double timed(int threads, void (*task)(void *arg, int i), void *arg)
{
    Pool *pool = pool_start(threads);
    double best = 1e30;
    for (int i = 0; i < 4; i++) {
        double start = seconds();
        pool_for(pool, threads, task, arg);
        double time = seconds() - start;
        if (time < best)
            best = time;
    }
    pool_stop(pool);
    return best;
}

double fma_peak(int type, int threads)
{
    double sink[16 * MAX_THREADS];
    double lanes = type == F32 ? BYTES / 4 : BYTES / 8;
    double time = timed(threads, type == F32 ? fma_f32 : fma_f64, sink);
    return 2e-9 * lanes * ACCUMULATORS * STEPS * threads / time;
}

typedef struct Reading {
    const char *array;
    size_t bytes_each;
    volatile float sink[16 * MAX_THREADS];
} Reading;

/* Two streams of each thread's part, which is what most machines read fastest. */
static void read_part(void *arg, int i)
{
    Reading *reading = arg;
    size_t half = reading->bytes_each / 2;
    const char *first = reading->array + (size_t)i * reading->bytes_each, *second = first + half;
    Floats sum[8];
    memset(sum, 0, sizeof sum);
    for (size_t at = 0; at < half; at += 4 * BYTES)
        for (int v = 0; v < 4; v++) {
            sum[v] += *(const Floats *)(first + at + (size_t)v * BYTES);
            sum[4 + v] += *(const Floats *)(second + at + (size_t)v * BYTES);
        }
    for (int v = 1; v < 8; v++)
        sum[0] += sum[v];
    reading->sink[16 * i] = sum[0][0];
}

double read_bandwidth(int threads)
{
    size_t each = 8 * last_level_cache() / (size_t)threads / 4096 * 4096;
    char *array = aligned_alloc(4096, each * (size_t)threads);
    if (!array)
        abort();
    memset(array, 0, each * (size_t)threads);
    Reading reading = {.array = array, .bytes_each = each};
    double time = timed(threads, read_part, &reading);
    free(array);
    return 1e-9 * (double)each * threads / time;
}
