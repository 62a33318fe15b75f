// mikgen: --extract=rows --extent=a:m,n --extent=x:n
/* Helpers that are given arrays, and rows of them. */
static double dot(const double *a, const double *b, int n)
{
    double sum = 0;
    for (int i = 0; i < n; i++)
        sum += a[i] * b[i];
    return sum;
}

static double at(const double *v, int i) { return v[i]; }

static void scale(double *row, int n, double by)
{
    for (int i = 0; i < n; i++)
        row[i] *= by;
}

void rows(double *a, double *b, const double *x, double *y, int m, int n)
{
    for (int i = 0; i < m; i++)
        y[i] = dot(a + i * n, x, n) + at(x, 0);
    for (int i = 0; i < m; i++)
        scale(&b[i * n], n, 2);
}
