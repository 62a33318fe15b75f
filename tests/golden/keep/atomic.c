void f(_Atomic int *a)
{
    for (int i = 0; i < 3; i++)
        if (a[i] > 3)
            return;
}
