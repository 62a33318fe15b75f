/* SPDX-License-Identifier: GPL-3.0-or-later */

#include <stdio.h>
int main(void)
{
    enum { M = 13, K = 17, L = 19 };
    static float a[M * L], b[K * M], c[M * M];
    for (int i = 0; i < M * L; i++)
        a[i] = i % 7 - 3;
    for (int i = 0; i < K * M; i++)
        b[i] = i % 5 - 2;
    for (int i = 0; i < M * M; i++)
        c[i] = i % 3;
    printf("%.9g\n", product(a, L, b, c, M, M, K));
    for (int i = 0; i < M * M; i++)
        printf("%.9g\n", c[i]);
}
