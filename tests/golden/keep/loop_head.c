void f(float *a, int n)
{
    int i, k;
    for (i = k = 0; i < n; i++)
        a[i] = k;
}
