// Statements that begin or end between #if and #endif.
int f(int *a, int n, int k)
{
#ifdef TWICE
    for (int i = 0; i < 2 * n; i++) {
#else
    for (int i = 0; i < n; i++) {
#endif
        a[i] = k * 3;
    }
    for (int i = 0; i < n; i++)
        a[i] += k * 5;
    if (a == 0)
#if TWICE
        return 1;
#else
        return 2;
#endif

#ifndef TWICE
    if (k > 0)
        k = 1;
    else
#endif
        k = 2;
    while (n-- > 0) {
        if (k > n)
            k--;
#ifdef TWICE
        else
            k = 0;
#endif
    }
    return k;
}
