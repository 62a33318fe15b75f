struct shape {
    int n;
};
void f(float *a, const struct shape *s)
{
    for (int i = 0; i < s->n; i++)
        a[i] = 1.0f;
}
