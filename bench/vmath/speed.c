/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Nanoseconds per element of the mathematical functions of vectors, arrays in L1, beside glibc's scalar functions, libmvec and SLEEF.
 * Built and run by bench/vmath.sh. */
#define _GNU_SOURCE
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "others.h"

enum { N = 1024, ROUNDS = 25 };

static double seconds(void)
{
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

typedef struct {
    const char *name, *peers; /* what other libraries call it */
    float (*f32)(float);
    double (*f64)(double);
    float (*f32_2)(float, float);
    double (*f64_2)(double, double);
    double from, to;
} Function;

static float quotientf(float x, float z) { return x / z; }
static float over_rootf(float x, float z) { return x / sqrtf(z); }
#define ONE(name, from, to)      {#name, #name, name##f, name, NULL, NULL, from, to}
#define TWO(name, from, to)      {#name, #name, NULL, NULL, name##f, name, from, to}
#define FAST_ONE(name, from, to) {#name "_fast", #name, name##f, NULL, NULL, NULL, from, to}
#define FAST_TWO(name, from, to) {#name "_fast", #name, NULL, NULL, name##f, NULL, from, to}
static const Function functions[] = {ONE(exp, -10, 10),
                                     ONE(tanh, -4, 4),
                                     ONE(erf, -3, 3),
                                     ONE(log, 0.01, 100),
                                     ONE(log1p, -0.5, 10),
                                     ONE(expm1, -5, 5),
                                     TWO(pow, 0.1, 10),
                                     ONE(exp2, -10, 10),
                                     ONE(log2, 0.01, 100),
                                     ONE(sin, -10, 10),
                                     ONE(cos, -10, 10),
                                     ONE(log10, 0.01, 100),
                                     ONE(sinh, -5, 5),
                                     ONE(cosh, -5, 5),
                                     ONE(erfc, -3, 5),
                                     ONE(tan, -10, 10),
                                     ONE(atan, -5, 5),
                                     TWO(atan2, -5, 5),
                                     ONE(asin, -1, 1),
                                     ONE(acos, -1, 1),
                                     ONE(cbrt, -100, 100),
                                     TWO(hypot, -100, 100),
                                     FAST_ONE(exp, -10, 10),
                                     FAST_ONE(exp2, -10, 10),
                                     FAST_ONE(log, 0.01, 100),
                                     FAST_ONE(log2, 0.01, 100),
                                     FAST_ONE(tanh, -4, 4),
                                     FAST_ONE(erf, -3, 3),
                                     FAST_ONE(erfc, -3, 5),
                                     FAST_ONE(sin, -10, 10),
                                     FAST_ONE(cos, -10, 10),
                                     FAST_ONE(tan, -10, 10),
                                     FAST_ONE(atan, -5, 5),
                                     FAST_ONE(asin, -1, 1),
                                     FAST_ONE(acos, -1, 1),
                                     FAST_ONE(sinh, -5, 5),
                                     FAST_ONE(cosh, -5, 5),
                                     FAST_ONE(cbrt, -100, 100),
                                     FAST_TWO(pow, 0.1, 10),
                                     FAST_TWO(atan2, -5, 5),
                                     {"quotient", "", NULL, NULL, quotientf, NULL, 0.1, 10},
                                     {"over_root", "", NULL, NULL, over_rootf, NULL, 0.1, 10}};

static union {
    float f32[N];
    double f64[N];
} x, y, out;

static void scalar(const Function *f, int is64)
{
    for (int i = 0; i < N; i++)
        if (is64)
            out.f64[i] = f->f64 ? f->f64(x.f64[i]) : f->f64_2(x.f64[i], y.f64[i]);
        else
            out.f32[i] = f->f32 ? f->f32(x.f32[i]) : f->f32_2(x.f32[i], y.f32[i]);
}

/* The shortest of several runs of at least 0.1 ms; NAN where there is no such function. */
static double ns(const Function *f, const VmathFunction *table, const char *name, const char *kind)
{
    const int is64 = strcmp(kind, "f64") == 0;
    double best = HUGE_VAL;
    if (table) {
        while (table->name && (strcmp(table->name, name) != 0 || strcmp(table->kind, kind) != 0))
            table++;
        if (!table->name)
            return NAN;
    }
    int calls = 1;
    for (int r = 0; r < ROUNDS; r++) {
        const double from = seconds();
        for (int i = 0; i < calls; i++)
            if (table)
                table->run(N, &x, &y, &out);
            else
                scalar(f, is64);
        const double t = seconds() - from;
        best = t / calls < best ? t / calls : best;
        if (t < 1e-4 && r < 5)
            calls *= 4;
    }
    return best * 1e9 / N;
}

static void print(double t) { isnan(t) ? printf(" %8s", "-") : printf(" %8.3f", t); }

int main(int argc, char **argv)
{
    static const struct {
        const char *name;
        const VmathFunction *ours, *mvec, *sleef;
    } sets[] = {{"AVX-512", vmath_z, mvec_z, sleef_z}, {"AVX2", vmath_y, mvec_y, sleef_y}, {"portable", vmath_p, mvec_p, sleef_p}};
    static const char *const kinds[] = {"f32", "f64"};
    for (int k = 0; k < 2; k++) {
        printf("%s, ns per element\n%-10s %8s", kinds[k], "", "glibc");
        for (int s = 0; s < 3; s++)
            printf(" | %8s %8s %8s", sets[s].name, "libmvec", "SLEEF");
        printf("\n");
        for (size_t i = 0; i < sizeof functions / sizeof *functions; i++) {
            const Function *f = &functions[i];
            int wanted = argc < 2;
            for (int a = 1; a < argc; a++)
                wanted |= strcmp(argv[a], f->name) == 0;
            if (!wanted || (k && !f->f64 && !f->f64_2))
                continue;
            srand(1);
            for (int j = 0; j < N; j++) {
                const double a = f->from + (f->to - f->from) * rand() / RAND_MAX, b = f->from + (f->to - f->from) * rand() / RAND_MAX;
                if (k)
                    x.f64[j] = a, y.f64[j] = b;
                else
                    x.f32[j] = (float)a, y.f32[j] = (float)b;
            }
            printf("%-10s", f->name);
            print(ns(f, NULL, NULL, kinds[k]));
            for (int s = 0; s < 3; s++) {
                const int has = s == 0 ? __builtin_cpu_supports("avx512dq") : s == 1 ? __builtin_cpu_supports("avx2") : 1;
                printf(" |");
                print(has ? ns(f, sets[s].ours, f->name, kinds[k]) : NAN);
                print(has ? ns(f, sets[s].mvec, f->peers, kinds[k]) : NAN);
                print(has ? ns(f, sets[s].sleef, f->peers, kinds[k]) : NAN);
            }
            printf("\n");
            fflush(stdout);
        }
    }
    return 0;
}
