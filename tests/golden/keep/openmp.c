void f(float *a, int n)
{
#pragma omp parallel for
    for (int i = 0; i < n; i++)
        a[i] = 1.0f;
}
