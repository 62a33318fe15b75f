int first(const int *a, int n)
{
    int i = 0;
    if (n > 3)
        goto again;
    while (i < n) {
    again:
        if (a[i] > n)
            return i;
        if (++i < n - 1)
            goto again;
    }
    return -1;
}
