#include "include/broken.h"
void f(float *a, int n)
{
    for (int i = 0; i < n; i++)
        a[i] = broken(a[i]);
}
