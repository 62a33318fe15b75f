void f(float *a, int n)
{
    for (int i = 0; i < n; i++) {
        float *row = a + i * n;
        row[0] = 1.0f;
    }
}
