void f(int *a)
{
    for (int i = 0; i < 3; i++)
        a[i] = ({ int t = i; t * t; });
}
