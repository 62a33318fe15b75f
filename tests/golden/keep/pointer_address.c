void advance(float **p);
void f(float *p, int n)
{
    for (int i = 0; i < n; i++)
        advance(&p);
}
