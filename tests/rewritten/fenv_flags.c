/* SPDX-License-Identifier: GPL-3.0-or-later */
/* FENV_ACCESS: exceptions are part of what a function does, none more, none less, each in its place. */
// levels: -O0
// links: -lm
#include <fenv.h>
#include <stdio.h>
double plain(const double *x, double a, double b)
{
    double r = 0;
    for (int i = 0; i < 8; i++)
        r += x[i & 1] * (a / b);
    return r;
}
// has: const double t0 = a / b
#pragma STDC FENV_ACCESS ON
int raised(double a, double b, int n)
{
    int r = 0;
    for (int i = 0; i < n; i++) {
        if (b != 0.0)
            r += a / b > i;
        r += fetestexcept(FE_DIVBYZERO) != 0;
    }
    return r;
}

int late(const int *x, double a, double b, int n)
{
    int r = 0;
    for (int i = 0; i < 4; i++) {
        r += fetestexcept(FE_DIVBYZERO) != 0;
        feclearexcept(FE_ALL_EXCEPT);
        r += a / b > 1 && n < 3;
        r += fetestexcept(FE_DIVBYZERO) ? 10 : 0;
        if (a / b > 2)
            feclearexcept(FE_ALL_EXCEPT), r += x[i];
        if (a / b > 2)
            r += x[i] + n * 3;
    }
    return r + 100 * (fetestexcept(FE_DIVBYZERO) != 0);
}

double width(double a, double b, int n)
{
    double s = 0;
    for (int i = 0; i < n; i++) {
        fesetround(i & 1 ? FE_UPWARD : FE_DOWNWARD);
        s += (i & 1 ? a / b : -(a / b));
    }
    fesetround(FE_TONEAREST);
    return s;
}

int main(void)
{
    volatile double z = 0, one = 1, three = 3;
    const int x[4] = {1, 2, 3, 4};
    const double y[3] = {1, 2, 3};
    printf("%d ", raised(1, z, 5));
    printf("%d ", late(x, one, z, 7));
    printf("%g %g\n", width(one, three, 2), plain(y, one, three));
    return 0;
}
