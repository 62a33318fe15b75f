// mikgen: --extract=show
#include <stdio.h>
void show(const float *x, int n)
{
    for (int i = 0; i < n; i++)
        printf("%f\n", x[i]);
}
