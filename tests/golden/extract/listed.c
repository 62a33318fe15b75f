// mikgen: --extract=list
void doubled(const float *x, float *y, int n)
{
    for (int i = 0; i < n; i++)
        y[i] = 2 * x[i];
}

unsigned length(const char *s)
{
    unsigned n = 0;
    while (*s++)
        n++;
    return n;
}

int no_loop(int a)
{
    return a + 1;
}
