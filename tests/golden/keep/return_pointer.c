float *f(float *a)
{
    for (int i = 0; i < 3; i++)
        a[i] = 1.0f;
    return a;
}
