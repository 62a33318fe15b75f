void g(int);
void f(float *a, int n)
{
    for (int i = 0; i < n; i++) {
        a[i] = 0;
        __attribute__((nomerge)) g(i);
    }
}
