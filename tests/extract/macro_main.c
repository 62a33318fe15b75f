/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <stdio.h>
int main(void)
{
    static double a[ROWS][COLUMNS], scale[COLUMNS], b[DEPTH];
    double sum = 0;
    for (int i = 0; i < ROWS; i++)
        for (int j = 0; j < COLUMNS; j++)
            a[i][j] = i + 2 * j, scale[j] = j;
    macro(a, scale, b);
    for (int i = 0; i < ROWS; i++)
        sum += a[i][i % COLUMNS];
    printf("%f %f\n", sum, b[3]);
}
