/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Each of the 256 codes of e4m3 and e5m2, and floats where rounding is hard, against what the formats' definitions say, on each instruction
 * set that there is, at lengths that leave something of a vector. With an argument: how fast that is, in elements per nanosecond. */
#include <math.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "fp8_dyn.h"

enum { MOST = 1 << 16, CODES = 256 };

typedef struct Format {
    const char *name;
    int fraction, bias;
    int greatest; /* the code of the greatest finite number */
    bool infinite; /* codes behind it: infinity first, else NaN alone */
} Format;

static const Format formats[] = {{"e4m3", 3, 7, 0x7e, false}, {"e5m2", 2, 15, 0x7b, true}};
static float value[2][CODES];
static int failures;

static float value_of(const Format *f, int code)
{
    const int rest = code & 0x7f, exponent = rest >> f->fraction, part = rest & ((1 << f->fraction) - 1);
    const double least = exponent ? 1 << f->fraction : 0;
    double x = ldexp(least + part, (exponent ? exponent : 1) - f->bias - f->fraction);
    if (rest > f->greatest)
        x = f->infinite && rest == f->greatest + 1 ? (double)INFINITY : (double)NAN;
    return (float)(code & 0x80 ? -x : x);
}

/* The code of the nearest number, of two as near the even one. */
static int nearest(int format, float x)
{
    const Format *f = &formats[format];
    const int sign = signbit(x) ? 0x80 : 0;
    const double size = fabs((double)x);
    if (isnan(x))
        return 0x7f;
    int code = 0;
    while (code < f->greatest && value[format][code + 1] <= size)
        code++;
    if (code == f->greatest)
        return sign | code;
    const double below = size - value[format][code], above = value[format][code + 1] - size;
    return sign | (above < below || (above == below && code & 1) ? code + 1 : code);
}

static float next(float x, int by)
{
    for (; by; by -= by > 0 ? 1 : -1)
        x = nextafterf(x, by > 0 ? INFINITY : -INFINITY);
    return x;
}

static int collect(float *out)
{
    int n = 0;
    for (int format = 0; format < 2; format++)
        for (int code = 0; code <= formats[format].greatest; code++) {
            const float x = value[format][code], up = code < formats[format].greatest ? value[format][code + 1] : 2 * x;
            for (int by = -2; by <= 2; by++) {
                out[n++] = next(x, by);
                out[n++] = next((float)(((double)x + up) / 2), by);
            }
        }
    for (int e = -149; e < 128; e++)
        out[n++] = ldexpf(1, e);
    const float others[] = {0, INFINITY, NAN, 3e38f, 448, 449, 464, 465, 479, 480, 57344, 61439, 61440, 65536, 1e-45f};
    for (size_t i = 0; i < sizeof others / sizeof *others; i++)
        out[n++] = others[i];
    for (uint64_t bits = 0; bits < 0x80000000u && n < MOST / 2; bits += 99991) {
        const uint32_t u = (uint32_t)bits;
        memcpy(&out[n++], &u, sizeof u);
    }
    for (int i = 0, half = n; i < half; i++)
        out[n++] = -out[i];
    return n;
}

static void wrong(const char *what, int isa, double x, double got, double expected)
{
    if (failures++ < 20)
        printf("FAILED: %s on instruction set %d: %a becomes %g, not %g\n", what, isa, x, got, expected);
}

static bool same(float a, float b) { return (isnan(a) && isnan(b)) || memcmp(&a, &b, sizeof a) == 0; }

static float in[MOST], x[MOST], y[MOST];
static uint8_t a[MOST], b[MOST], c[MOST], d[MOST];
static double from[MOST], to[MOST];

static void check_widening(mikgen_options *opt, int n)
{
    for (int i = 0; i < n; i++)
        a[i] = (uint8_t)(i * 7 + n), b[i] = (uint8_t)(i * 13 + n), from[i] = 0;
    widen_with(opt, n, a, b, x, y);
    wide_with(opt, n, b, from, to, c);
    for (int i = 0; i < n; i++) {
        if (!same(x[i], value[0][a[i]]))
            wrong("e4m3_to_float", opt->isa, a[i], x[i], value[0][a[i]]);
        if (!same(y[i], value[1][b[i]]))
            wrong("e5m2_to_float", opt->isa, b[i], y[i], value[1][b[i]]);
        if (!same((float)to[i], value[1][b[i]] + 0.0f))
            wrong("e5m2 to double", opt->isa, b[i], to[i], value[1][b[i]]);
    }
}

static void check_narrowing(mikgen_options *opt, const float *numbers, int n)
{
    for (int i = 0; i < n; i++)
        from[i] = numbers[i];
    narrow_with(opt, n, numbers, c, d);
    wide_with(opt, n, a, from, to, b);
    for (int i = 0; i < n; i++) {
        if (c[i] != nearest(0, numbers[i]))
            wrong("float_to_e4m3", opt->isa, numbers[i], c[i], nearest(0, numbers[i]));
        if (d[i] != nearest(1, numbers[i]))
            wrong("float_to_e5m2", opt->isa, numbers[i], d[i], nearest(1, numbers[i]));
        if (b[i] != c[i])
            wrong("double to e4m3", opt->isa, numbers[i], b[i], c[i]);
    }
}

static void check_bits(mikgen_options *opt, int n)
{
    for (int i = 0; i < n; i++)
        a[i] = (uint8_t)i, b[i] = (uint8_t)(i * 3), x[i] = i % 3 ? 1 : -1;
    choose_with(opt, n, a, b, x, c, d);
    for (int i = 0; i < n; i++) {
        if (c[i] != (i % 3 ? a[i] : 0))
            wrong("a chosen e4m3", opt->isa, a[i], c[i], a[i]);
        if (d[i] != b[n - 1 - i])
            wrong("a copied e5m2", opt->isa, b[n - 1 - i], d[i], b[n - 1 - i]);
    }
}

static double now(void)
{
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (double)t.tv_sec * 1e9 + (double)t.tv_nsec;
}

static void print_speed(mikgen_options *opt)
{
    enum { LENGTH = 4096, TIMES = 2000 };
    double best[2] = {INFINITY, INFINITY};
    for (int turn = 0; turn < 20; turn++)
        for (int which = 0; which < 2; which++) {
            const double start = now();
            for (int i = 0; i < TIMES / 20; i++)
                which ? narrow_with(opt, LENGTH, in, c, d) : widen_with(opt, LENGTH, a, b, x, y);
            best[which] = fmin(best[which], (now() - start) / (TIMES / 20));
        }
    printf("instruction set %d: to float %.2f, from float %.2f elements of each type per ns\n", opt->isa, LENGTH / best[0],
           LENGTH / best[1]);
}

int main(int argc, char **argv)
{
    (void)argv;
    for (int format = 0; format < 2; format++)
        for (int code = 0; code < CODES; code++)
            value[format][code] = value_of(&formats[format], code);
    const int count = collect(in);
    int sets = 0;
    for (int isa = 1; isa <= 4; isa++) {
        mikgen_options opt = {.isa = isa};
        if (narrow_with(&opt, 1, in, c, d) != MIKGEN_OK)
            continue;
        sets++;
        for (int n = 1; n < 200; n++) {
            check_widening(&opt, n);
            check_bits(&opt, n);
            check_narrowing(&opt, in + 31 * n, n);
        }
        check_widening(&opt, 1024);
        check_bits(&opt, 1024);
        check_narrowing(&opt, in, count);
        if (argc > 1)
            print_speed(&opt);
    }
    if (sets == 0)
        printf("FAILED: there is no instruction set\n");
    else if (failures == 0)
        printf("%d floats and all codes on %d instruction sets\n", count, sets);
    return sets == 0 || failures > 0;
}
