void f(float *p, int n)
{
    for (int i = 0; i < n; i++)
        *p++ = 0.0f;
}
