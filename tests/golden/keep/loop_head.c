void f(float *a, int n)
{
    int i, k;
    for (i = k = 0; i < n; i++)
        a[i] = k;
}

int endless(const int *a, int n)
{
    int k;
    for (k = 1;; ++k)
        if (a[k] > n)
            break;
    return k;
}
