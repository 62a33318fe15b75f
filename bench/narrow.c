/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Narrow element types: the emitted products of half, bf16 and int8 beside the f32 one, beside the peak of their instructions, and beside
 * oneDNN where it is there. Built and run by bench/narrow.sh.
 *
 * Columns: one per operator, in 1e9 operations (two for each multiplication) per second, the best of many runs that
 * take turns; NN and NT say whether B is [K][N] or [N][K].
 */
#define _GNU_SOURCE
#include <immintrin.h>
#include <math.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "bench_narrow_dyn.h"
#ifdef HAVE_DNNL
#include <oneapi/dnnl/dnnl.h>
#endif

enum { MAX_OPS = 24, ROUNDS = 40 };
static const double SHORT = 2e-4; /* seconds that one measurement takes at least */

static double seconds(void)
{
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

/* ---------------------------------------------------------------- peaks */

#define UNROLL _Pragma("GCC unroll 14")
#define PEAK(name, isa, type, zero, step) \
    __attribute__((target(isa), noinline)) static void name(long n) \
    { \
        type c[14], x; \
        memset(&x, 0, sizeof x); \
        UNROLL for (int i = 0; i < 14; i++) c[i] = zero; \
        for (; n > 0; n--) \
            UNROLL for (int i = 0; i < 14; i++) \
            { \
                c[i] = step(c[i], x); \
                __asm__("" : "+v"(c[i]), "+v"(x)); \
            } \
        UNROLL for (int i = 0; i < 14; i++) __asm__ volatile("" ::"v"(c[i])); \
    }
#define FMA(c, x)  _mm512_fmadd_ps(x, x, c)
#define DPBF(c, x) _mm512_dpbf16_ps(c, (__m512bh)(x), (__m512bh)(x))
#define MADD(c, x) _mm512_add_epi32(c, _mm512_madd_epi16(x, x))
#define WSSD(c, x) _mm512_dpwssd_epi32(c, x, x)
#define BUSD(c, x) _mm512_dpbusd_epi32(c, x, x)
PEAK(peak_fma, "avx512f", __m512, _mm512_setzero_ps(), FMA)
PEAK(peak_bf16, "avx512f,avx512bw,avx512bf16", __m512, _mm512_setzero_ps(), DPBF)
PEAK(peak_madd, "avx512f,avx512bw", __m512i, _mm512_setzero_si512(), MADD)
PEAK(peak_wssd, "avx512f,avx512bw,avx512vnni", __m512i, _mm512_setzero_si512(), WSSD)
PEAK(peak_busd, "avx512f,avx512bw,avx512vnni", __m512i, _mm512_setzero_si512(), BUSD)

static void print_peak(const char *name, int there, void (*run)(long), int multiplications)
{
    double best = 1e9;
    for (int r = 0; there && r < 20; r++) {
        const double from = seconds();
        run(200000);
        const double t = seconds() - from;
        best = t < best ? t : best;
    }
    if (there)
        printf("peak of %-14s %6.1f\n", name, 2.0 * multiplications * 14 * 200000 / best / 1e9);
}

static void print_peaks(void)
{
    const int avx512 = __builtin_cpu_supports("avx512bw");
    print_peak("vfmadd (f32)", avx512, peak_fma, 16);
    print_peak("vdpbf16ps", __builtin_cpu_supports("avx512bf16"), peak_bf16, 32);
    print_peak("vpmaddwd+add", avx512, peak_madd, 32);
    print_peak("vpdpwssd", __builtin_cpu_supports("avx512vnni"), peak_wssd, 32);
    print_peak("vpdpbusd", __builtin_cpu_supports("avx512vnni"), peak_busd, 64);
}

/* ---------------------------------------------------------------- operators */

typedef struct {
    int m, n, k;
    void *a, *b, *c;  /* bytes for the widest element type */
} Problem;

static mikgen_options options;

#define OURS(op, ta, tb, tc) \
    static void run_##op(const Problem *p) \
    { \
        if (op##_with(&options, p->m, p->n, p->k, (ta *)p->a, (tb *)p->b, (tc *)p->c)) \
            abort(); \
    }
OURS(f32_nn, const float, const float, float)
OURS(half_nn, const uint16_t, const uint16_t, uint16_t)
OURS(half_nt, const uint16_t, const uint16_t, uint16_t)
OURS(bf16_nn, const uint16_t, const uint16_t, uint16_t)
OURS(bf16_nt, const uint16_t, const uint16_t, uint16_t)
OURS(bf16_f32, const uint16_t, const uint16_t, float)
OURS(s8_nn, const int8_t, const int8_t, int32_t)
OURS(s8_nt, const int8_t, const int8_t, int32_t)
OURS(u8s8_nn, const uint8_t, const int8_t, int32_t)
OURS(u8s8_nt, const uint8_t, const int8_t, int32_t)

#ifdef HAVE_DNNL
static void one_s8(const Problem *p)
{
    const int32_t zero = 0;
    if (dnnl_gemm_s8s8s32('N', 'N', 'F', p->m, p->n, p->k, 1, p->a, p->k, 0, p->b, p->n, 0, 0, p->c, p->n, &zero) != dnnl_success)
        abort();
}

static void one_u8s8(const Problem *p)
{
    const int32_t zero = 0;
    if (dnnl_gemm_u8s8s32('N', 'N', 'F', p->m, p->n, p->k, 1, p->a, p->k, 0, p->b, p->n, 0, 0, p->c, p->n, &zero) != dnnl_success)
        abort();
}

static void one_f32(const Problem *p)
{
    if (dnnl_sgemm('N', 'N', p->m, p->n, p->k, 1, p->a, p->k, p->b, p->n, 0, p->c, p->n) != dnnl_success)
        abort();
}

/* The bf16 matmul primitive for the last shape asked for. */
static dnnl_primitive_t matmul;
static dnnl_memory_t matmul_arrays[3];
static dnnl_stream_t stream;
static Problem matmul_shape;

static void must(dnnl_status_t status)
{
    if (status != dnnl_success)
        abort();
}

static void make_matmul(const Problem *p)
{
    static dnnl_engine_t engine;
    const dnnl_dim_t dims[3][2] = {{p->m, p->k}, {p->k, p->n}, {p->m, p->n}};
    void *const data[3] = {p->a, p->b, p->c};
    dnnl_memory_desc_t desc[3];
    dnnl_matmul_desc_t op;
    dnnl_primitive_desc_t pd;
    if (!engine) {
        must(dnnl_engine_create(&engine, dnnl_cpu, 0));
        must(dnnl_stream_create(&stream, engine, dnnl_stream_default_flags));
    }
    for (int i = 0; i < 3; i++)
        must(dnnl_memory_desc_init_by_tag(&desc[i], 2, dims[i], dnnl_bf16, dnnl_ab));
    must(dnnl_matmul_desc_init(&op, &desc[0], &desc[1], NULL, &desc[2]));
    must(dnnl_primitive_desc_create(&pd, &op, NULL, engine, NULL));
    if (matmul)
        dnnl_primitive_destroy(matmul);
    must(dnnl_primitive_create(&matmul, pd));
    dnnl_primitive_desc_destroy(pd);
    for (int i = 0; i < 3; i++) {
        if (matmul_arrays[i])
            dnnl_memory_destroy(matmul_arrays[i]);
        must(dnnl_memory_create(&matmul_arrays[i], &desc[i], engine, data[i]));
    }
    matmul_shape = *p;
}

static void one_bf16(const Problem *p)
{
    if (memcmp(p, &matmul_shape, sizeof *p) != 0)
        make_matmul(p);
    const dnnl_exec_arg_t args[3] = {
        {DNNL_ARG_SRC, matmul_arrays[0]}, {DNNL_ARG_WEIGHTS, matmul_arrays[1]}, {DNNL_ARG_DST, matmul_arrays[2]}};
    must(dnnl_primitive_execute(matmul, stream, 3, args));
    must(dnnl_stream_wait(stream));
}
#endif

typedef enum { F32, HALF, BF16, INT8 } Element;

typedef struct {
    const char *name;
    Element element;
    void (*run)(const Problem *);
} Operator;

/* clang-format off */
static const Operator operators[] = {
    {"f32", F32, run_f32_nn},        {"half NN", HALF, run_half_nn},  {"half NT", HALF, run_half_nt},
    {"bf16 NN", BF16, run_bf16_nn},  {"bf16 NT", BF16, run_bf16_nt},  {"bf16>f32", BF16, run_bf16_f32},
    {"s8 NN", INT8, run_s8_nn},      {"s8 NT", INT8, run_s8_nt},      {"u8s8 NN", INT8, run_u8s8_nn},
    {"u8s8 NT", INT8, run_u8s8_nt},
#ifdef HAVE_DNNL
    {"1DNN f32", F32, one_f32},     {"1DNN bf16", BF16, one_bf16}, {"1DNN s8", INT8, one_s8}, {"1DNN u8s8", INT8, one_u8s8},
#endif
};
/* clang-format on */
enum { OPERATORS = sizeof operators / sizeof *operators };

/* ---------------------------------------------------------------- measuring */

/* Ordinary values, in the element type: between 1/8 and 2 in absolute value. */
static void fill(void *array, size_t count, Element element)
{
    uint32_t x = 12345;
    for (size_t i = 0; i < count; i++) {
        x = x * 1664525 + 1013904223;
        const uint32_t bits = (x & 0x80000000u) | (124 + (x >> 8 & 3)) << 23 | (x >> 10 & 0x7fffff);
        switch (element) {
        case F32: ((uint32_t *)array)[i] = bits; break;
        case HALF: ((uint16_t *)array)[i] = (uint16_t)(bits >> 16 & 0x8000 | (12 + (x >> 8 & 3)) << 10 | (x >> 10 & 0x3ff)); break;
        case BF16: ((uint16_t *)array)[i] = (uint16_t)(bits >> 16); break;
        case INT8: ((uint8_t *)array)[i] = (uint8_t)(x >> 24); break;
        }
    }
}

static double time_once(const Operator *op, const Problem *p, int calls)
{
    const double from = seconds();
    for (int i = 0; i < calls; i++)
        op->run(p);
    return (seconds() - from) / calls;
}

static void measure(const Operator *const *ops, int nops, Problem p)
{
    double best[MAX_OPS];
    int calls[MAX_OPS];
    const size_t a = (size_t)p.m * (size_t)p.k, b = (size_t)p.k * (size_t)p.n;
    for (int i = 0; i < nops; i++) { /* the first call warms up */
        fill(p.a, a, ops[i]->element);
        fill(p.b, b, ops[i]->element);
        ops[i]->run(&p);
        best[i] = time_once(ops[i], &p, 1);
        calls[i] = best[i] < SHORT ? (int)(SHORT / best[i]) + 1 : 1;
    }
    double spent = 0;
    for (int r = 0; r < ROUNDS && (r < 3 || spent < 4); r++)
        for (int i = 0; i < nops; i++) {
            fill(p.a, a, ops[i]->element);
            fill(p.b, b, ops[i]->element);
            const double from = seconds();
            ops[i]->run(&p);
            const double t = time_once(ops[i], &p, calls[i]);
            spent += seconds() - from;
            best[i] = t < best[i] ? t : best[i];
        }
    char shape[40];
    snprintf(shape, sizeof shape, "%dx%dx%d", p.m, p.n, p.k);
    printf("%-15s", shape);
    for (int i = 0; i < nops; i++)
        printf(" %9.1f", 2.0 * p.m * p.n * p.k / best[i] / 1e9);
    printf("\n");
    fflush(stdout);
}

/* bench_narrow [--isa=N] [--threads=N] [--only=TEXT[,TEXT...]] MxNxK... */
int main(int argc, char **argv)
{
    const char *only = NULL;
    const Operator *ops[OPERATORS];
    int nops = 0, at = 1;
    for (; at < argc && argv[at][0] == '-'; at++)
        if (strncmp(argv[at], "--isa=", 6) == 0)
            options.isa = atoi(argv[at] + 6);
        else if (strncmp(argv[at], "--only=", 7) == 0)
            only = argv[at] + 7;
        else
            return 2;
    for (int i = 0; i < OPERATORS; i++) {
        int wanted = !only;
        for (const char *word = only; word && *word; word += strcspn(word, ","), word += *word == ',') {
            char part[40] = "";
            snprintf(part, sizeof part, "%.*s", (int)strcspn(word, ","), word);
            wanted = wanted || strstr(operators[i].name, part) != NULL;
        }
        if (wanted)
            ops[nops++] = &operators[i];
    }
    print_peaks();
    printf("%-15s", "MxNxK");
    for (int i = 0; i < nops; i++)
        printf(" %9s", ops[i]->name);
    printf("\n");
    for (; at < argc; at++) {
        Problem p;
        if (sscanf(argv[at], "%dx%dx%d", &p.m, &p.n, &p.k) != 3)
            return 2;
        p.a = aligned_alloc(4096, ((size_t)p.m * (size_t)p.k * 4 + 8191) / 4096 * 4096);
        p.b = aligned_alloc(4096, ((size_t)p.k * (size_t)p.n * 4 + 8191) / 4096 * 4096);
        p.c = aligned_alloc(4096, ((size_t)p.m * (size_t)p.n * 4 + 8191) / 4096 * 4096);
        memset(p.c, 0, (size_t)p.m * (size_t)p.n * 4);
        measure(ops, nops, p);
        free(p.a), free(p.b), free(p.c);
    }
    return 0;
}
