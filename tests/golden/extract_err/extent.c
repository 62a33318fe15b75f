// mikgen: --extract=gather
void gather(const int *at, const float *v, float *o, int n)
{
    for (int i = 0; i < n; i++)
        o[i] = v[at[i]];
}
