void f(float *a, int *n)
{
    for (*n = 0; n[0] < 5; n[0]++)
        a[n[0]] = 1.0f;
}
