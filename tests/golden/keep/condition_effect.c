void f(float *a, int n)
{
    while (n-- > 0)
        a[n] = 1.0f;
}
