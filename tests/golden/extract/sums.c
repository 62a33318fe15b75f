// mikgen: --extract=sums
/* Arrays and a sum of file scope, a macro that is an extent, one that is small, a helper, a table. */
#define N 100
#define TAPS 3
typedef double real;
static const real weights[TAPS] = {0.25, 0.5, 0.25};
real A[N][N], x[N + TAPS], total;

static real clamped(real v)
{
    return v < 0 ? 0 : v;
}

void sums(real *y)
{
    int i, j;
    /* rows */
    for (i = 0; i < N; i++) {
        y[i] = 0;
        for (j = 0; j < N; j++)
            y[i] += A[i][j] * x[j];
        for (j = 0; j < TAPS; j++)
            y[i] += weights[j] * clamped(x[i + j]); // a filter
        total += y[i];
    }
}
