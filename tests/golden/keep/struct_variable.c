struct pair {
    float a, b;
};
void f(float *a)
{
    struct pair p = {0, 1};
    for (int i = 0; i < 3; i++)
        a[i] = p.a;
}
