// mikgen: --extract=add
static double at(const double *v, int i) { return v[i]; }

void add(double *y, int n, const double *x)
{
    for (int i = 0; i < n; i++)
        y[i] += at(x, i);
}
