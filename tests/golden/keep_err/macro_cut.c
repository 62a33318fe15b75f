#define BUMP(p) *(p) += 1.0f; *(p + 1)
void f(float *a, int n)
{
    for (int i = 0; i < n; i++)
        a[i] = 0.0f;
    BUMP(a) = 2.0f;
}
