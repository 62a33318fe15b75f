/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Emitted code in other modes of the floating-point unit than the usual one, and that it leaves the mode as it is. See rounding.sh. */
#include <fenv.h>
#include <float.h>
#include <math.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#ifdef __x86_64__
#include <xmmintrin.h>
#endif

#include "rounding.h"

enum { ROWS = 37, COLUMNS = 53, STEPS = 71, POINTS = 4096, FUNCTIONS = 12 };

void reference_product(int M, int N, int K, const float *A, const float *B, float *C);
void reference_rows(int N, int K, const double *x, double *norm, double *y);
void reference_functions(int N, const float *x, float *y);
void reference_choices(int N, const float *x, float *y, float *top);

static float a[ROWS * STEPS], b[STEPS * COLUMNS], c[2][ROWS * COLUMNS];
static double x[ROWS * STEPS], norm[2][ROWS], y[2][ROWS * STEPS];
static float points[POINTS], values[2][FUNCTIONS][POINTS];
static int bad;

static void check(int is_right, const char *what, const char *mode)
{
    if (!is_right)
        printf("FAILED: %s, %s\n", what, mode);
    bad += !is_right;
}

static void fill(void)
{
    srand(1);
    for (int i = 0; i < ROWS * STEPS; i++) {
        a[i] = (float)rand() / (float)RAND_MAX - 0.5f;
        x[i] = rand() / (double)RAND_MAX - 0.5;
    }
    for (int i = 0; i < STEPS * COLUMNS; i++)
        b[i] = (float)rand() / (float)RAND_MAX - 0.5f;
    for (int i = 0; i < POINTS; i++) /* normal numbers, whose functions may be less */
        points[i] = ldexpf((float)rand() / (float)RAND_MAX + 1, rand() % 250 - 125) * (i % 2 ? 1 : -1);
    for (int i = 0; i < POINTS / 2; i++)
        points[i] = (float)(i - POINTS / 4) * 0.1f;
}

/* The control bits; those that say what has happened are free to change. */
static unsigned control(void)
{
#ifdef __x86_64__
    return _mm_getcsr() & ~0x3fu;
#else
    return (unsigned)fegetround();
#endif
}

/* Strict order: the bits of the spec in the same mode. */
static void compare_strict(int mode, const char *name)
{
    fesetround(mode);
    const unsigned before = control();
    check(!product(ROWS, COLUMNS, STEPS, a, b, c[0]) && !rows(ROWS, STEPS, x, norm[0], y[0]) && !functions(POINTS, points, values[0][0]),
          "a call fails", name);
    check(control() == before, "the mode is another one after the calls", name);
    reference_product(ROWS, COLUMNS, STEPS, a, b, c[1]);
    reference_rows(ROWS, STEPS, x, norm[1], y[1]);
    reference_functions(POINTS, points, values[1][0]);
    fesetround(FE_TONEAREST);
    check(!memcmp(c[0], c[1], sizeof c[0]), "a product has other bits than the spec", name);
    check(!memcmp(norm[0], norm[1], sizeof norm[0]) && !memcmp(y[0], y[1], sizeof y[0]), "rows have other bits than the spec", name);
    check(!memcmp(values[0], values[1], sizeof values[0]), "functions have other bits than the spec", name);
}

/* The C library's functions, called element by element: their bits. */
static void compare_calls(int mode, const char *name)
{
    fesetround(mode);
    functions(POINTS, points, values[0][0]);
    reference_functions(POINTS, points, values[1][0]);
    fesetround(FE_TONEAREST);
    check(!memcmp(values[0], values[1], sizeof values[0]), "functions have other bits than the C library's", name);
}

/* How many units of the last place apart; of numbers below the least normal one, of that. */
static double units_apart(float one, float other)
{
    if (isnan(one) || isnan(other))
        return isnan(one) && isnan(other) ? 0 : HUGE_VAL;
    if (isinf(one) || isinf(other))
        return one == other ? 0 : HUGE_VAL;
    const double size = fmax(fmax(fabs(one), fabs(other)), FLT_MIN);
    return fabs((double)one - other) / ldexp(1, ilogb(size) - 23);
}

/* Functions of vectors in a mode against the C library's in the usual one. */
static void compare_functions(const char *mode, double most, double below)
{
    static const char *const names[FUNCTIONS] = {"exp", "exp2", "expm1", "log",  "log1p", "tanh",
                                                 "erf", "sin",  "cos",   "log2", "sqrt",  "atan"};
    for (int f = 0; f < FUNCTIONS; f++) {
        double worst = 0;
        int where = 0;
        for (int i = 0; i < POINTS; i++) {
            const double apart = units_apart(values[0][f][i], values[1][f][i]);
            const double is_small = fabs(values[1][f][i]) < 4 * FLT_MIN;
            if (apart > worst && !(is_small && fabs((double)values[0][f][i] - values[1][f][i]) <= below)) {
                worst = apart;
                where = i;
            }
        }
        printf("%-6s %-12s %.3g units of the last place, of %a\n", names[f], mode, worst, points[where]);
        check(worst <= most, names[f], mode);
    }
}

/* Infinities, what is no number, zeros of both signs, and sums that cancel: the bits of the spec, whatever flags a compiler was given. */
static void compare_choices(void)
{
    enum { N = 99 };
    static const float special[] = {0, -0.0f, 1e-40f, -1e-40f, 1, -1, FLT_MAX, 3e7f, HUGE_VALF, -HUGE_VALF};
    float in[N], out[2][2][N], top[2];
    for (int i = 0; i < N; i++)
        in[i] = special[i % (int)(sizeof special / sizeof *special)];
    in[N / 2] = NAN;
    check(!choices(N, in, out[0][0], &top[0]), "a call fails", "to nearest");
    reference_choices(N, in, out[1][0], &top[1]);
    check(!memcmp(out[0], out[1], sizeof out[0]) && top[0] == top[1], "choices have other bits than the spec", "to nearest");
}

int main(int argc, char **argv)
{
    static const int modes[] = {FE_TONEAREST, FE_UPWARD, FE_DOWNWARD, FE_TOWARDZERO};
    static const char *const names[] = {"to nearest", "upward", "downward", "toward zero"};
    const char *const which = argc > 1 ? argv[1] : "";
    fill();
    if (strcmp(which, "finite") != 0)
        compare_choices();
    for (int i = 0; i < 4 && strcmp(which, "strict") == 0; i++)
        compare_strict(modes[i], names[i]);
    for (int i = 0; i < 4 && strcmp(which, "libm") == 0; i++)
        compare_calls(modes[i], names[i]);
    if (strcmp(which, "strict") == 0 || strcmp(which, "libm") == 0)
        return bad != 0;
    reference_functions(POINTS, points, values[1][0]);
    functions(POINTS, points, values[0][0]);
    compare_functions("to nearest", 2, 0);
#ifdef __x86_64__
    _mm_setcsr(_mm_getcsr() | 0x8040); /* flush results, take operands as zeros */
    functions(POINTS, points, values[0][0]);
    check((_mm_getcsr() & 0x8040) == 0x8040, "the mode is another one after the calls", "flushed");
    _mm_setcsr(_mm_getcsr() & ~0x8040u);
    compare_functions("flushed", 2, FLT_MIN);
#endif
    return bad != 0;
}
