/* C89: what moves in front of a loop stands at the head of a block. */
typedef long word;

int old(int *a, int n, int m, int k)
{
    int i, j;
    word sum = 0;
    typedef int number;
#ifdef MORE
    int more;
#endif

    a[0] = 1;
    for (i = 0; i < n; i++)
        for (j = 0; j < m; j++)
            if (k * 3 < n && i < k)
                a[i * m + j] = a[j] && k;
    sum += k * 3;

    /* once more */
    for (i = 0; i < n; i++) {
        a[i] += k * 5;
        for (j = 0; j < i; j++)
            a[j] ^= m * i;
    }
    a[1] = m * k;
    return (int)sum;
}

/* What has moved is in sight as far as its last use, which stands behind other statements. */
int old_uses(int *a, int *b, int n, int k)
{
    int i;

    a[0] = n;
    for (i = 0; i < n; i++)
        a[i] += k * 3 + n;
    b[0] = k;
    b[1] = n;
    for (i = 0; i < n; i++)
        b[i] += k * 3 + n;
    return b[2];
}
