/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The same said in a block, and by a word of the preprocessor. */
// levels: -O0
// links: -lm
// lacks: const double t
#include <fenv.h>
#include <stdio.h>
int raised(double a, double b, int n)
{
#pragma STDC FENV_ACCESS ON
    int r = 0;
    for (int i = 0; i < n; i++) {
        if (b != 0.0)
            r += a / b > i;
        r += fetestexcept(FE_DIVBYZERO) != 0;
    }
    return r;
}
_Pragma("STDC FENV_ACCESS ON") double width(double a, double b)
{
    double s = 0;
    for (int i = 0; i < 2; i++) {
        fesetround(i & 1 ? FE_UPWARD : FE_DOWNWARD);
        s += (i & 1 ? a / b : -(a / b));
        fesetround(FE_TONEAREST);
    }
    return s;
}
int main(void)
{
    volatile double z = 0, one = 1, three = 3;
    printf("%d %g\n", raised(1, z, 5), width(one, three));
    return 0;
}
