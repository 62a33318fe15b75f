void f(float *a, int n)
{
    for (int i = 0; i < n; i++)
        __attribute__((annotate("x"))) a[i] = 1.0f;
}
