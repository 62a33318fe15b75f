void f(float *a, int n)
{
    if (!a)
        return;
    for (int i = 0; i < n; i++)
        a[i] = 1.0f;
}
