// mikgen: --extract=all
float bias;
static float biased(float x) { return x + bias; }
void all(float *x, int n)
{
    for (int i = 0; i < n; i++)
        x[i] = biased(x[i]);
}
