void f(float *a, _Complex float c)
{
    __int128 big = 3;
    for (int i = 0; i < 3; i++)
        if (c != 0)
            a[i] = big;
}
