// Behind a label nothing is known to hold a value: who came by the goto has not computed it.
void label_behind(int *restrict C, int *restrict D, const int n, const int m, int k)
{
    int left = 2;
    if (k < 0)
        goto second;
    for (int i = 0; i < 64; i++)
        C[i] = n * m + 3;
second:
    for (int i = 0; i < 64; i++)
        D[i] += n * m + 3;
    if (left-- > 0)
        goto second;
}
