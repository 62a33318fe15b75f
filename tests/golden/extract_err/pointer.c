// mikgen: --extract=add
void add(const float *x, float *y, int n)
{
    for (int i = 0; i < n; i++)
        y[i] += *x++;
}
