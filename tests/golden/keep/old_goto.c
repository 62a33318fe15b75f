/* C89 and gotos */
int g(int *a, int n, int k)
{
    int i, s = 0;
    switch (n) {
    case 1:
        s = 1;
        for (i = 0; i < k; i++)
            a[i] += n * k;
    again:
        s += n * k;
        break;
    default:
        for (i = 0; i < k; i++) {
            switch (i) {
            case 0: s++;
            case 1: while (s < 3) s += n * k; continue;
            }
            if (s > 100) goto done;
        }
        if (s < 50) { s++; goto again; }
    }
done:
    for (i = 0; i < n; i++)
        s += a[i] * (n * k);
    return s;
}
