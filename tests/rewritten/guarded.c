/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Nothing raises a floating-point exception, or sets errno, that the source does not evaluate. */
// levels: -O0
// links: -lm
#define _GNU_SOURCE
#include <errno.h>
#include <fenv.h>
#include <math.h>
#include <stdio.h>
#ifndef TRAPS
#define TRAPS (FE_DIVBYZERO | FE_INVALID | FE_OVERFLOW)
#endif
double scale(const double *x, double len, double sum, int n)
{
    double r = 0;
    for (int i = 0; i < n; i++)
        if (sum != 0.0)
            r += x[i] * (len / sum);
        else
            r += x[i];
    return r;
}

double chosen(const double *x, double len, double sum, int n)
{
    double r = 0;
    for (int i = 0; i < n; i++)
        r += x[i] > 2 ? x[i] / 2 : sum != 0.0 ? x[i] * (len / sum) : 1;
    return r;
}

int never(const int *x, double len, double sum, int n)
{
    int r = 0;
    for (int i = 0; i < n; i++)
        r += x[i] + (len / sum > 2.0);
    for (int i = 0; i < n; i++) {
        const double q = len / sum, huge = len * 1e308 * 1e10;
        r += q * x[i] < huge;
    }
    return r;
}

int behind(const int *x, double len, double sum, int n, int on)
{
    int r = 0;
    for (int i = 0; i < 8; i++) {
        if (x[i] > n && len / sum > 1.0)
            r += i;
        if (i > 9 && len < sum)
            r++;
        if (i == on)
            break;
        r += (float)(len * 1e300) > 1.0f;
    }
    return r;
}

double roots(const double *x, double v, int n)
{
    double r = 0;
    for (int i = 0; i < n; i++)
        if (v > 0)
            r += x[i] * log(v) + sqrt(v) + (double)lround(v * 1e300);
    return r;
}

int compared(const int *x, double nan, int n)
{
    int r = 0;
    for (int i = 0; i < n; i++)
        if (nan > 1.0)
            r += x[i];
    for (int i = 0; i < n; i++)
        if (x[i] > 3 && nan <= 2.0)
            r += x[i];
    return r;
}

/* What is evaluated anyway moves. */
double always(const double *x, double len, double sum)
{
    double r = 0;
    for (int i = 0; i < 8; i++)
        r += x[i & 1] * (len / sum);
    return r;
}
// has: const double t0 = len / sum

int main(void)
{
    const double x[3] = {1, 2, 3};
    const int y[8] = {1, 2, 3};
    volatile double z = 0, one = 1, nan = NAN;
    errno = 0;
    feenableexcept(TRAPS);
    printf("%g %g %d %d\n", scale(x, 4, z, 3), chosen(x, 4, z, 3), never(y, 4, z, 0), behind(y, one, z, 7, 0));
    printf("%g %d %d %g\n", roots(x, -one, 3), errno, compared(y, nan, 0), always(x, 4, one));
    return 0;
}
