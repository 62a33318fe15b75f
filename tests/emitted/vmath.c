/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * How far the functions of vectors are from what C's library makes in wider types: floats from double, doubles from long double, or
 * from MPFR where it is compiled with HAVE_MPFR.
 *
 *   vmath [--step=N] [--points=N] [--kind=f32|f64|f32n] [--table] [NAME...]
 *
 * A float function of one operand sees every N-th float; others that many random points in each of several ranges; all see special values and,
 * two operands, all pairs of them. What is no number, infinities and signs of zeros must be the library's. --table prints the greatest
 * error of each function in ulp, by instruction sets, and where it is. Exit status 1 if one is greater than its bound.
 */
#include <float.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "vmath.h"
#ifdef HAVE_MPFR
#include <mpfr.h>
#endif

enum { CHUNK = 2048, SETS = 3, FULL = 16 /* lanes, at most */ };

/* ---------------------------------------------------------------- what is expected */

#ifdef HAVE_MPFR
#define ONE(name, bound32, bound64) \
    static long double wide_##name(long double x) \
    { \
        mpfr_t v; \
        mpfr_init2(v, 128), mpfr_set_ld(v, x, MPFR_RNDN), mpfr_##name(v, v, MPFR_RNDN); \
        const long double y = mpfr_get_ld(v, MPFR_RNDN); \
        mpfr_clear(v); \
        return y; \
    }
#define TWO(name, bound32, bound64) \
    static long double wide_##name(long double x, long double z) \
    { \
        mpfr_t v, w; \
        mpfr_init2(v, 128), mpfr_init2(w, 128), mpfr_set_ld(v, x, MPFR_RNDN), mpfr_set_ld(w, z, MPFR_RNDN); \
        mpfr_##name(v, v, w, MPFR_RNDN); \
        const long double y = mpfr_get_ld(v, MPFR_RNDN); \
        mpfr_clear(v), mpfr_clear(w); \
        return y; \
    }
#else
#define ONE(name, bound32, bound64) \
    static long double wide_##name(long double x) { return name##l(x); }
#define TWO(name, bound32, bound64) \
    static long double wide_##name(long double x, long double z) { return name##l(x, z); }
#endif
#include "vmath.def"
#undef ONE
#undef TWO

typedef struct {
    const char *name;
    double (*one)(double);
    double (*two)(double, double);
    long double (*wide)(long double);
    long double (*wide2)(long double, long double);
    double bound32, bound64;
    int fast; /* subnormal operands and results may be taken for 0 */
} Function;

static double quotient(double x, double z) { return x / z; }
static double over_root(double x, double z) { return x / sqrt(z); }
static long double wide_quotient(long double x, long double z) { return x / z; }
static long double wide_over_root(long double x, long double z) { return x / sqrtl(z); }

#define ONE(name, bound32, bound64) {#name, name, NULL, wide_##name, NULL, bound32, bound64, 0},
#define TWO(name, bound32, bound64) {#name, NULL, name, NULL, wide_##name, bound32, bound64, 0},
#define FAST_ONE(name, of, bound32) {#name, of, NULL, wide_##of, NULL, bound32, 0, 1},
#define FAST_TWO(name, of, bound32) {#name, NULL, of, NULL, wide_##of, bound32, 0, 1},
static const Function functions[] = {
#include "vmath.def"
};
enum { FUNCTIONS = sizeof functions / sizeof *functions };

/* ---------------------------------------------------------------- distances */

/* In units of the last place of a type with so many bits and such a least exponent; HUGE_VAL where a result is plainly wrong. */
static double distance(long double got, long double expected, int digits, int least, long double infinite)
{
    if (isnan(got) || isnan(expected))
        return isnan(got) && isnan(expected) ? 0 : HUGE_VAL;
    if (got == expected)
        return got == 0 && !signbit(got) != !signbit(expected) ? HUGE_VAL : 0;
    if (fabsl(expected) > infinite)
        expected = copysignl(infinite, expected);
    if (isinf(got))
        got = copysignl(infinite, got);
    int e;
    frexpl(expected, &e);
    const int last = (e < least ? least : e) - digits;
    const long double error = fabsl(got - expected);
    return (double)ldexpl(error, -last);
}

static double distance_f32(float got, double expected)
{
    double want = expected;
    if (isnan(got) || isnan(want) || isinf(want) || isinf(got) || got == want || fabs(want) < 0x1p-125)
        return distance(got, expected, FLT_MANT_DIG, FLT_MIN_EXP, 0x1p128L);
    uint64_t bits;
    memcpy(&bits, &want, sizeof bits);
    bits = ((bits >> 52 & 0x7ff) - 23) << 52;
    double unit;
    memcpy(&unit, &bits, sizeof unit);
    return fabs((double)got - want) / unit;
}

/* ---------------------------------------------------------------- errors so far */

typedef struct {
    double ulp;
    double x, y; /* where */
} Worst;

static union {
    float f32[CHUNK];
    double f64[CHUNK];
} x, y, out;
static union {
    double f32[CHUNK];
    long double f64[CHUNK];
} expected;
static const VmathFunction *sets[SETS];
static const char *set_names[SETS];
static int nsets;

static const VmathFunction *find(const VmathFunction *table, const char *name, const char *kind)
{
    while (table->name && (strcmp(table->name, name) != 0 || strcmp(table->kind, kind) != 0))
        table++;
    return table->name ? table : NULL;
}

/* Where --math=fast promises nothing: subnormal numbers, operands or results. */
static int is_exempt(double want, float a, float b)
{
    return fpclassify(a) == FP_SUBNORMAL || fpclassify(b) == FP_SUBNORMAL || (want != 0 && fabs(want) < FLT_MIN);
}

static void check(const Function *f, const char *kind, int n, Worst *worst)
{
    const int is64 = strcmp(kind, "f64") == 0;
    for (int i = 0; i < n; i++)
        if (is64)
            expected.f64[i] = f->two ? f->wide2(x.f64[i], y.f64[i]) : f->wide(x.f64[i]);
        else
            expected.f32[i] = f->two ? f->two(x.f32[i], y.f32[i]) : f->one(x.f32[i]);
    for (int s = 0; s < nsets; s++) {
        const VmathFunction *ours = find(sets[s], f->name, kind);
        if (!ours)
            continue;
        ours->run(n, &x, &y, &out);
        for (int i = 0; i < n; i++) {
            if (f->fast && is_exempt(expected.f32[i], x.f32[i], f->two ? y.f32[i] : 1))
                continue;
            const double ulp = is64 ? distance(out.f64[i], expected.f64[i], DBL_MANT_DIG, DBL_MIN_EXP, 0x1p1023L * 2)
                                    : distance_f32(out.f32[i], expected.f32[i]);
            if (ulp > worst[s].ulp)
                worst[s] = (Worst){ulp, is64 ? x.f64[i] : x.f32[i], is64 ? y.f64[i] : y.f32[i]};
        }
    }
}

#ifdef HAVE_MPFR
/* The worst of floats once more, against more than double precision. */
static void confirm(const Function *f, const char *kind, int set, Worst *worst)
{
    const VmathFunction *ours = find(sets[set], f->name, kind);
    for (int i = 0; i < FULL; i++)
        x.f32[i] = (float)worst->x, y.f32[i] = (float)worst->y;
    ours->run(FULL, &x, &y, &out);
    const long double wide = f->two ? f->wide2(x.f32[0], y.f32[0]) : f->wide(x.f32[0]);
    worst->ulp = distance(out.f32[0], wide, FLT_MANT_DIG, FLT_MIN_EXP, 0x1p128L);
}
#endif

/* ---------------------------------------------------------------- points */

static uint64_t state = 88172645463325252u;
static uint64_t next(void)
{
    state ^= state << 13, state ^= state >> 7, state ^= state << 17;
    return state * 0x2545f4914f6cdd1du;
}
static double uniform(double from, double to) { return from + (to - from) * ((double)(next() >> 11) * 0x1p-53); }

/* A point of a range: any bits, about 0, about 1, about the zeros of sines and cosines, and of the sizes at which functions do something. */
static double point(int range, int is64)
{
    static const double sizes[] = {1, 4, 30, 800};
    if (range == 0) {
        const uint64_t bits = next();
        double any;
        float any32;
        memcpy(&any, &bits, sizeof any);
        memcpy(&any32, &bits, sizeof any32);
        return is64 ? any : any32;
    }
    if (range == 1)
        return (next() & 1 ? -1 : 1) * exp2(uniform(is64 ? -1074 : -149, 0)); /* any size below 1 */
    if (range == 2) /* about 1, and where the exponent that logarithms take out changes */
        return (next() & 1 ? -1 : 1) * ((next() & 1 ? 1 : 0.75) + uniform(-0.5, 0.5) * exp2(uniform(-20, 0)));
    if (range == 3)
        return exp2(uniform(is64 ? -1022 : -126, is64 ? 1024 : 128));
    if (range == 4)
        return (double)((long double)(next() >> 45) * 1.57079632679489661923132169163975144L);
    return uniform(-1, 1) * sizes[range - 5];
}
enum { RANGES = 9 };

static const double special[] = {0.0,
                                 -0.0,
                                 1,
                                 -1,
                                 2,
                                 -2,
                                 3,
                                 -3,
                                 0.5,
                                 -0.5,
                                 0.25,
                                 1.5,
                                 -1.5,
                                 7,
                                 100,
                                 -100,
                                 1e10,
                                 -1e10,
                                 88.7,
                                 89,
                                 -87.5,
                                 -104,
                                 710,
                                 -746,
                                 128,
                                 -149,
                                 1024,
                                 -1075,
                                 0x1p23,
                                 0x1p24 + 2,
                                 0x1p52 + 1,
                                 -0x1p52 - 1,
                                 0x1p53,
                                 8192,
                                 8193,
                                 0x1p20,
                                 0x1p20 + 1,
                                 1e30,
                                 -1e30,
                                 0x1p-20,
                                 -0x1p-20,
                                 0x1p-60,
                                 INFINITY,
                                 -INFINITY,
                                 NAN,
                                 FLT_MAX,
                                 -FLT_MAX,
                                 FLT_MIN,
                                 -FLT_MIN,
                                 0x1p-149,
                                 -0x1p-149,
                                 0x1p-130,
                                 DBL_MAX,
                                 -DBL_MAX,
                                 DBL_MIN,
                                 0x1p-1074,
                                 -0x1p-1074,
                                 0x1p-1060,
                                 FLT_EPSILON,
                                 DBL_EPSILON,
                                 1 - 0x1p-24,
                                 1 + 0x1p-23,
                                 1 - 0x1p-53,
                                 1 + 0x1p-52,
                                 -1 + 0x1p-24,
                                 -1 + 0x1p-53,
                                 -1 - 0x1p-23,
                                 0x1.921fb6p0,
                                 -0x1.921fb54442d18p0,
                                 0x1.921fb54442d18p1};
enum { SPECIAL = sizeof special / sizeof *special };

static void put(int is64, int i, double a, double b)
{
    if (is64)
        x.f64[i] = a, y.f64[i] = b;
    else
        x.f32[i] = (float)a, y.f32[i] = (float)b;
}

static void run(const Function *f, const char *kind, int64_t step, int64_t points, Worst *worst)
{
    const int is64 = strcmp(kind, "f64") == 0;
    int n = 0;
    for (int i = 0; i < SPECIAL; i++)
        for (int j = 0; j < (f->two ? SPECIAL : 1); j++) {
            put(is64, n++, special[i], special[j]);
            if (n == CHUNK)
                check(f, kind, n, worst), n = 0;
        }
    check(f, kind, n, worst);
    if (!is64 && f->one) {
        for (int64_t bits = 0; bits < INT64_C(1) << 32;) {
            for (n = 0; n < CHUNK && bits < INT64_C(1) << 32; n++, bits += step) {
                const uint32_t b = (uint32_t)bits;
                memcpy(&x.f32[n], &b, sizeof b);
            }
            check(f, kind, n, worst);
        }
        return;
    }
    for (int range = 0; range < RANGES; range++)
        for (int other = 0; other < (f->two ? RANGES : 1); other++)
            for (int64_t left = f->two ? points / RANGES : points; left > 0; left -= n) {
                for (n = 0; n < CHUNK && n < left; n++)
                    put(is64, n, point(range, is64), point(other, is64));
                check(f, kind, n, worst);
            }
}

static void add(const VmathFunction *table, const char *name) { sets[nsets] = table, set_names[nsets++] = name; }

int main(int argc, char **argv)
{
    int64_t step = 37, points = 100000;
    const char *only = NULL, *names[FUNCTIONS + 1] = {0};
    int table = 0, count = 0, failures = 0;
    for (int i = 1; i < argc; i++)
        if (strncmp(argv[i], "--step=", 7) == 0)
            step = atoll(argv[i] + 7);
        else if (strncmp(argv[i], "--points=", 9) == 0)
            points = atoll(argv[i] + 9);
        else if (strncmp(argv[i], "--kind=", 7) == 0)
            only = argv[i] + 7;
        else if (strcmp(argv[i], "--table") == 0)
            table = 1;
        else if (argv[i][0] == '-' || count == FUNCTIONS)
            return fprintf(stderr, "vmath: what is %s?\n", argv[i]), 2;
        else
            names[count++] = argv[i];
#ifdef HAVE_X86
    if (__builtin_cpu_supports("avx512f") && __builtin_cpu_supports("avx512bw") && __builtin_cpu_supports("avx512dq") &&
        __builtin_cpu_supports("avx512vl"))
        add(vmath_z, "AVX-512");
    if (__builtin_cpu_supports("avx2") && __builtin_cpu_supports("fma"))
        add(vmath_y, "AVX2");
#endif
    add(vmath_p, "portable");
    for (int i = 0; i < FUNCTIONS; i++) {
        static const char *const kinds[] = {"f32", "f32n", "f64"};
        const Function *f = &functions[i];
        int wanted = count == 0;
        for (int j = 0; j < count; j++)
            wanted |= strcmp(names[j], f->name) == 0;
        for (int k = 0; wanted && k < 3; k++) {
            Worst worst[SETS] = {{0}};
            if ((only && strcmp(only, kinds[k]) != 0) || !find(sets[nsets - 1], f->name, kinds[k]))
                continue;
            run(f, kinds[k], kinds[k][3] ? step * 13 : step, points, worst);
#ifdef HAVE_MPFR
            for (int s = 0; s < nsets && k < 2; s++)
                if (isfinite(worst[s].ulp))
                    confirm(f, kinds[k], s, &worst[s]);
#endif
            const double bound = k < 2 ? f->bound32 : f->bound64;
            for (int s = 0; s < nsets; s++) {
                const int bad = !(worst[s].ulp <= bound);
                failures += bad;
                if (table || bad)
                    printf("%s%-10s %-5s %-9s %7.3f ulp at %a%s", bad ? "FAILED: " : "", f->name, kinds[k], set_names[s], worst[s].ulp,
                           worst[s].x, f->two ? "" : "\n");
                if ((table || bad) && f->two)
                    printf(", %a\n", worst[s].y);
            }
            fflush(stdout);
        }
    }
    return failures ? 1 : 0;
}
