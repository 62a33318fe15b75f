// A declaration whose initialiser is not understood, and stars that are subscripts.
struct shape {
    int n;
};
float f(float *p, int (*q)[4], const struct shape *s, float **rows)
{
    const int n = s->n; // members are text
    int missing = p == 0;
    if (missing)
        return 0;
    for (int i = 0; i < n; i++) {
        *p = *(p + i) + **q + *q[i] + *(*(q + 1) + 2);
        *(i + p) += 1;
        (*p)++;
        const volatile float first = rows[i][0];
        p[i] += first;
        *(p + i + 1) = 3;
    }
    return *p;
}
