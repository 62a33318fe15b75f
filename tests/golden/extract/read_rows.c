// mikgen: --extract=read_rows --extent=e:V,D
/* A subscript that reads memory is not divided among the extents that are given: the array stays flat. */
void read_rows(int N, int D, int V, const int *at, const float *e, float *y)
{
    for (int n = 0; n < N; n++)
        for (int d = 0; d < D; d++)
            y[n * D + d] += e[at[n] * D + d];
}
