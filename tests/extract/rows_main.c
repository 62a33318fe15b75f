/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <stdio.h>
int main(void)
{
    double a[6], b[6], x[3] = {3, 1, 2}, y[2];
    for (int i = 0; i < 6; i++)
        a[i] = 7 * i % 5, b[i] = i;
    rows(a, b, x, y, 2, 3);
    printf("%f %f %f %f\n", y[0], y[1], b[2], b[5]);
}
