// Which loops are counted, and what the others become.
#define FOR(i, n) for (int i = 0; i < (n); i++)
int bound(int);
int pure_bound(int) __attribute__((const));
void f(int *restrict a, unsigned n, volatile int *stop)
{
    int k, touched = 0;
    static int kept;
    for (k = 0; k < 10; k += 2)
        a[k] = 1;
    for (long j = n; 0 < j; j = j - 1)
        a[j] = 2;
    for (unsigned u = 8; u >= 0; u--)
        if (a[u])
            break;
    for (int i = 0; i < pure_bound(3); i++)
        a[i] = 3;
    for (int i = 0; i < bound(3); i++)
        a[i] = 3;
    for (int i = 0; i < stop[0]; i++)
        ;
    FOR(i, 16) {
        if (a[i] == 4)
            continue;
        a[i] = 4;
    }
    FOR(i, 16) i += a[i];
    for (kept = 0; kept < 3; kept++)
        a[kept] = 5;
    for (touched = 0; touched < 3; touched++)
        bound((int)(long)&touched);
    for (int i = 0, j = 9; i < j; i++, j -= 2)
        a[i] = j;
    for (float x = 0; x < 1; x += 0.25f)
        a[0] += x;
    for (int i = 1; i < 100; i *= 2)
        a[i] = 6;
    for (int i = 1; i < 100; i--)
        return;
    for (;;) {
        k--;
        if (!k)
            break;
    }
    while (k < 3)
        k++;
    do {
        k--;
    } while (k > 0);
}
