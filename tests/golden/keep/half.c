void f(float *a, int n)
{
    _Float16 sum = 0;
    for (int i = 0; i < n; i++)
        sum += a[i];
}
