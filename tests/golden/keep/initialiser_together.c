void f(float *a, int n)
{
    float w[2] = {1, 2}, s = 0;
    for (int i = 0; i < n; i++)
        a[i] = w[i & 1] + s;
}
