// A switch that nothing leads out of stays as it is.
void f(float *a, const int *kind, int n, int m, int *count)
{
    int other = 0;
    for (int i = 0; i < n; i++) {
        int at = i * m + kind[i] * n;
        switch (kind[i]) { // by what it is
        case 0:
        case 1: {
            float half = a[at] / 2;
            a[at] = half; /* in place */
            break;
        }
        case 2: (*count)++;
        default: other++;
        }
        a[n * m + at] = a[at] + other;
    }
}
