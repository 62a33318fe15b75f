#define PUSH(a, k) a[k++] = 1.0f; a[k++]
void f(float *a, int n)
{
    int k = 0;
    for (int i = 0; i < n; i++)
        PUSH(a, k) = 2.0f;
}
