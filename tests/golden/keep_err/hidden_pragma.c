#define VECTORIZE _Pragma("GCC ivdep")
void f(float *a, int n)
{
    VECTORIZE
    for (int i = 0; i < n; i++)
        a[i] = 1.0f;
}
