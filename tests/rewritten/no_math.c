/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Infinity and NaN need no header, whatever INFINITY is. */
#include <stdio.h>
#define INFINITY 7
double least(const double *a, int n, int w)
{
    double s = __builtin_inf();
    for (int i = 0; i < n; i++)
        s = a[i] + w * 3 < s && a[i] > -__builtin_inf() ? a[i] + w * 3 : s;
    for (int i = 0; i < n; i++)
        s = w * 3 > INFINITY + i ? (a[i] == s ? __builtin_nan("") : s) : s;
    return s;
}
int main(void)
{
    const double a[] = {3, 1, 2};
    printf("%g\n", least(a, 3, 2));
    return 0;
}
