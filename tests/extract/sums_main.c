/* SPDX-License-Identifier: GPL-3.0-or-later */

#include <stdio.h>
int main(void)
{
    real y[N];
    for (int i = 0; i < N; i++)
        for (int j = 0; j < N; j++)
            A[i][j] = (i * 7 + j * 3) % 11 - 5;
    for (int j = 0; j < N + TAPS; j++)
        x[j] = j % 5 - 1.5;
    sums(y);
    for (int i = 0; i < N; i++)
        printf("%.9g\n", y[i]);
    printf("%.9g\n", total);
}
