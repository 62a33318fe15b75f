// mikgen: --hint=n:1:100 --hint=k:-5:16
#pragma mikgen hint(m, 0, 1000)
void f(float *a, int n, int m)
{
    for (int i = 0; i < n; i++)
        a[i * m] = 1;
}
void g(float *a, int n, long k)
{
    // a parameter that changes keeps no promise
    for (; n > 0; n--)
        a[n] = k;
}
int without_a_loop(int n)
{
#pragma mikgen hint(n, 0, 7)
    do {
        n++;
    } while (0);
    return n;
}
