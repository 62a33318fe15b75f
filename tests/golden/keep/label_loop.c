// Labels inside loops to which no goto leads from outside of them.
int first(const int *a, int n, int m)
{
    for (int k = 0; k < m; k++) {
        int i = 0;
        while (i < n) {
        again:
            if (a[i + k * m] * a[i] > n)
                return i;
            if (++i < n - 1)
                goto again;
            for (int j = 0; j < m; j++)
                if (a[j] == k * 3)
                    goto next;
        }
    next:
        i = 0;
    }
    return -1;
}
