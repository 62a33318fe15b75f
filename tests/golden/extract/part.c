// mikgen: --extract=part:9 --extent=v:n+n
/* The second loop of a function; what it finds elements by shows no extent. */
void part(int n, const int *idx, const double *v, double *out)
{
    int i;
    double scale = 0;
    for (i = 0; i < n; i++)
        scale += v[i];
    for (i = 0; i < n; i++)
        out[i] = scale * v[idx[i]];
}
