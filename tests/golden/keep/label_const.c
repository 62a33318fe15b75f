// What is const has one value at a label, too: t, which the first rewriting makes, is as good as i * 8 the second time.
void f(int *a, int n, int m)
{
    for (int i = 0; i < n; i++)
        for (int k = 0; k < m; k++)
            for (int j = 0; j < m; j++) {
                int left = 1;
            again:
                a[8 * i + j + j * 2] += 1;
                if (left-- > 0)
                    goto again;
            }
}
