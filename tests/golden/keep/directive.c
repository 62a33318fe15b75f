void f(float *a, int n)
{
    for (int i = 0; i < n; i++) {
#ifdef FAST
        a[i] = 1.0f;
#else
        a[i] = 2.0f;
#endif
    }
}
