// Loops inside what stays text, each for another reason, and beside it.
int setjmp_like(int);
#define TWICE(body) \
    body;           \
    body

int steps(const int *a, int n, int k)
{
    int sum = 0;
    for (int i = 0; i < n; i++)
        sum += a[i] * k;
#ifdef TRACE
    for (int i = 0; i < n; i++)
        setjmp_like(a[i]);
#else
    while (sum > k)
        sum -= k;
#endif
    TWICE(for (int i = 0; i < n; i++) sum ^= a[i]);
    sum += ({
        int t = 0;
        do
            t++;
        while (t < n);
        t;
    });
    return sum;
}

int again(const int *a, int n)
{
    int i = 0;
    if (n < 3)
        goto again;
    for (; i < n; i++) {
    again:
        for (int j = 0; j < i; j++)
            if (a[j] > a[i])
                goto again;
    }
    return i;
}
