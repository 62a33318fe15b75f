#pragma mikgen hint(m, 0, 10)
void f(float *a, int n)
{
    for (int i = 0; i < n; i++)
        a[i] = 1.0f;
}
