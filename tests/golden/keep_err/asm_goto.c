void f(int *a)
{
    for (int i = 0; i < 3; i++)
        a[i] = i;
    asm goto("" : : : : out);
out:;
}
