template <int N> __global__ void f(float *a)
{
    for (int i = 0; i < N; i++)
        a[i] = 1.0f;
}
