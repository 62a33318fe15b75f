void f(float *a, float (*g)(float))
{
    for (int i = 0; i < 3; i++)
        a[i] = g(a[i]);
    if (g(1.0f) > 0)
        a[0] = 1.0f;
}
