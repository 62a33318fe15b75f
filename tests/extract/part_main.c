/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <stdio.h>
int part_9(int n, double *out, double scale, const double *v, const int *idx);
int main(void)
{
    const int idx[3] = {5, 0, 3};
    const double v[6] = {1, 2, 3, 4, 5, 6};
    double out[3];
    const int status = part_9(3, out, 2, v, idx);
    return status || out[0] != 12 || out[1] != 2 || out[2] != 8;
}
