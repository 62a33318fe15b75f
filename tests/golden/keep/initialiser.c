void f(float *a, int n)
{
    float w[2] = {a[0], a[1]};
    for (int i = 0; i < n; i++)
        a[i] = w[i & 1];
}
