void f(const float *p, float *restrict q, int n)
{
    for (int i = 0; i < n; i++) {
        p = p + 1;
        q[i] = p[0];
    }
}
