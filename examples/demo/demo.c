/* Runs the generated matrix products on many shapes: first that every result equals the spec's, bit for bit,
   then how fast they are. One thread. Linked with the generated files, the specs themselves (renamed to
   *_reference) and peak.c. */
#define _POSIX_C_SOURCE 200809L
#include "gemm_dyn.h"
#include "gemm_f32_dyn.h"
#include "peak.h"

#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

void gemm_reference(int M, int N, int K, const uint16_t *A, const uint16_t *B, uint16_t *C);
void gemm_f32_reference(int M, int N, int K, const float *A, const float *B, float *C);

typedef struct {
    int m, n, k;
} Shape;

static const Shape timed[] = {
    {1024, 1024, 1024}, {64, 64, 64}, {5, 768, 768}, {1, 4096, 4096},  {127, 131, 137},
    {1000, 1, 1000},    {8, 8, 8},    {300, 300, 3}, {17, 1024, 1024}, {33, 1000, 257},
};
enum { TIMED = sizeof timed / sizeof timed[0], EDGES = 12 };

/* Extents around the sizes where vectors, register tiles and blocks begin and end. */
static const int edges[EDGES] = {0, 1, 2, 3, 5, 8, 15, 16, 17, 31, 48, 65};

static void *allocate(size_t size)
{
    void *p = malloc(size + 1);
    if (p == NULL) {
        fprintf(stderr, "demo: out of memory\n");
        exit(1);
    }
    return p;
}

static uint32_t next_random(uint32_t *state)
{
    *state = *state * 1664525u + 1013904223u;
    return *state >> 16;
}

/* Multiples of 1/8 in [-1, 1): every sum of products is exact in single precision, whatever its order. */
static void fill_f32(float *x, size_t n, uint32_t seed)
{
    for (size_t i = 0; i < n; i++)
        x[i] = ((float)(next_random(&seed) % 16) - 8) / 8;
}

/* The same values as half-precision bits. */
static void fill_half(uint16_t *x, size_t n, uint32_t seed)
{
    static const uint16_t eighth[9] = {0, 0x3000, 0x3400, 0x3600, 0x3800, 0x3900, 0x3a00, 0x3b00, 0x3c00};
    for (size_t i = 0; i < n; i++) {
        int v = (int)(next_random(&seed) % 16) - 8;
        x[i] = v < 0 ? (uint16_t)(0x8000 | eighth[-v]) : eighth[v];
    }
}

static int differs(const char *name, Shape s, int status, const void *got, const void *want, size_t size)
{
    if (status == 0 && memcmp(got, want, size) == 0)
        return 0;
    printf("  %s %dx%dx%d: %s (status %d)\n", name, s.m, s.n, s.k, status ? "failed" : "wrong result", status);
    return 1;
}

/* Compares both products with their specs on one shape; returns the number of failures. */
static int check(Shape s)
{
    size_t a = (size_t)s.m * s.k, b = (size_t)s.k * s.n, c = (size_t)s.m * s.n;
    float *A = allocate(a * 4), *B = allocate(b * 4), *got = allocate(c * 4), *want = allocate(c * 4);
    uint16_t *hA = (uint16_t *)A, *hB = (uint16_t *)B, *hgot = (uint16_t *)got, *hwant = (uint16_t *)want;
    fill_f32(A, a, 1);
    fill_f32(B, b, 2);
    memset(got, 0xff, c * 4);
    gemm_f32_reference(s.m, s.n, s.k, A, B, want);
    int status = gemm_f32(s.m, s.n, s.k, A, B, got);
    int failures = differs("gemm_f32", s, status, got, want, c * 4);

    fill_half(hA, a, 3);
    fill_half(hB, b, 4);
    memset(got, 0xff, c * 4);
    gemm_reference(s.m, s.n, s.k, hA, hB, hwant);
    status = gemm(s.m, s.n, s.k, hA, hB, hgot);
    failures += differs("gemm", s, status, hgot, hwant, c * 2);
    free(A);
    free(B);
    free(got);
    free(want);
    return failures;
}

static int check_edges(void)
{
    int failures = 0, shapes = 0;
    for (int m = 0; m < EDGES; m++)
        for (int n = 0; n < EDGES; n++)
            for (int k = 0; k < EDGES; k++, shapes++)
                failures += check((Shape){edges[m], edges[n], edges[k]});
    printf("  %d shapes with sides 0 to %d, single and half precision: ", shapes, edges[EDGES - 1]);
    printf(failures ? "%d FAILED\n" : "every result equals the spec's\n", failures);
    return failures;
}

typedef void (*Product)(Shape s, const float *A, const float *B, float *C);

static void generated(Shape s, const float *A, const float *B, float *C) { gemm_f32(s.m, s.n, s.k, A, B, C); }

static void spec(Shape s, const float *A, const float *B, float *C) { gemm_f32_reference(s.m, s.n, s.k, A, B, C); }

/* Seconds of one call, averaged over count calls. */
static double seconds(Product product, Shape s, const float *A, const float *B, float *C, long count)
{
    double start = now();
    for (long i = 0; i < count; i++)
        product(s, A, B, C);
    return (now() - start) / (double)count;
}

/* How many calls fill about two milliseconds. */
static long calls_for(Product product, Shape s, const float *A, const float *B, float *C)
{
    long count = 1;
    while (seconds(product, s, A, B, C, count) * (double)count < 1e-3 && count < 1 << 20)
        count *= 2;
    return 2 * count;
}

/* The line of the explanation that names the chosen plan, or its first line. */
static void choice(Shape s, char *line, size_t size)
{
    static const char mark[] = "plan: ";
    char text[4000] = "";
    gemm_f32_explain(s.m, s.n, s.k, text, sizeof text);
    const char *program = strstr(text, mark);
    program = program ? program + sizeof mark - 1 : text;
    snprintf(line, size, "%.*s", (int)strcspn(program, "\n"), program);
}

/* One row of the table: the best of several rounds, the two programs taking turns. */
static int time_shape(Shape s, double peak)
{
    size_t a = (size_t)s.m * s.k, b = (size_t)s.k * s.n, c = (size_t)s.m * s.n;
    float *A = allocate(a * 4), *B = allocate(b * 4), *got = allocate(c * 4), *want = allocate(c * 4);
    fill_f32(A, a, 1);
    fill_f32(B, b, 2);
    double start = now(), best = 1e30, best_spec = 1e30;
    long count = calls_for(generated, s, A, B, got), count_spec = calls_for(spec, s, A, B, want);
    for (int round = 0; round < 12 && (round < 2 || now() - start < 2.5); round++) {
        double t = seconds(generated, s, A, B, got, count);
        best = t < best ? t : best;
        if (round == 0 || now() - start < 1.5) {
            t = seconds(spec, s, A, B, want, round == 0 && count_spec == 2 ? 1 : count_spec);
            best_spec = t < best_spec ? t : best_spec;
        }
    }
    double flops = 2.0 * s.m * s.n * s.k;
    char shape[40], line[80];
    snprintf(shape, sizeof shape, "%dx%dx%d", s.m, s.n, s.k);
    choice(s, line, sizeof line);
    printf("  %-16s %8.1f %6.0f%% %8.1fx  %s\n", shape, flops / best * 1e-9, 100 * flops / best / peak, best_spec / best, line);
    int failures = differs("gemm_f32", s, 0, got, want, c * 4);
    free(A);
    free(B);
    free(got);
    free(want);
    return failures;
}

static int compare_doubles(const void *x, const void *y)
{
    double a = *(const double *)x, b = *(const double *)y;
    return (a > b) - (a < b);
}

/* What the choice of a program costs: a new shape's first call against its following ones, median over many
   small shapes; and a whole call that is little else than its cached choice. */
static void time_decisions(void)
{
    enum { SIDE = 8, SHAPES = SIDE * SIDE * SIDE };
    static float A[128 * 128], B[128 * 128], C[128 * 128];
    static double extra[SHAPES];
    fill_f32(A, 128 * 128, 1);
    fill_f32(B, 128 * 128, 2);
    double tick = 1;
    for (int i = 0; i < 1000; i++) {
        double t = now(), u = now();
        tick = u - t < tick ? u - t : tick;
    }
    for (int i = 0; i < SHAPES; i++) {
        Shape s = {90 + i / SIDE / SIDE, 90 + i / SIDE % SIDE, 1 + i % SIDE};
        double first = seconds(generated, s, A, B, C, 1), again = 1;
        for (int round = 0; round < 5; round++) {
            double t = seconds(generated, s, A, B, C, 1);
            again = t < again ? t : again;
        }
        extra[i] = first - again;
    }
    qsort(extra, SHAPES, sizeof extra[0], compare_doubles);
    double whole = 1;
    for (int round = 0; round < 10; round++) {
        double t = seconds(generated, (Shape){15, 65, 1}, A, B, C, 100000);
        whole = t < whole ? t : whole;
    }
    printf("  a new shape's first call takes %.0f ns more than its next ones (median of %d; clock %.0f ns)\n", extra[SHAPES / 2] * 1e9,
           SHAPES, tick * 1e9);
    printf("  a whole 15x65x1 call, its choice found in the cache: %.0f ns\n", whole * 1e9);
}

int main(void)
{
    setvbuf(stdout, NULL, _IOLBF, 0);
    printf("\nCorrect on every shape:\n");
    int failures = check_edges();
    double peak = peak_flops();
    printf("\nSpeed in single precision, one thread; this core's measured peak is %.0f GFLOP/s:\n", peak * 1e-9);
    printf("  %-16s %8s %7s %9s  %s\n", "M x N x K", "GFLOP/s", "peak", "vs spec", "choice");
    for (int i = 0; i < TIMED; i++)
        failures += time_shape(timed[i], peak);
    printf("\nTime to choose:\n");
    time_decisions();
    printf("\n%s\n", failures ? "demo: FAILED" : "demo: ok");
    return failures != 0;
}
