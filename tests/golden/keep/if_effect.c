void f(float *a, int n)
{
    for (int i = 0, k = 0; i < n; i++)
        if (k++ > 2)
            a[i] = 1.0f;
}
