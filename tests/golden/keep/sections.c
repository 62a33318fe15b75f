/* Blocks behind labels keep their braces where declarations in them stay as they are written: behind the next label there is another of the name.
 * So do those behind a region of #if that has the labels. */
void sections(int *restrict C, int n, int m, int c)
{
    for (int i = 0; i < n; i++)
        switch (C[i] & 3) {
        case 1:
            {
                for (int j = 0; j < m; j++)
                    C[i] += j * (c * 7 + n);
                int a = m * 3 + i, row[2] = {1, 2};
                C[i] += a + row[i & 1];
            }
        case 2:
            {
                for (int j = 0; j < m; j++)
                    C[i] -= j * (c * 5 + n);
                int a = m * 4, row[3] = {0};
                C[i] += a - row[i & 1];
            }
#ifdef OTHER
        case 0:
            C[i]++;
#else
        case 3:
            C[i]--;
#endif
            {
                int a = m * 6 + i;
                for (int j = 0; j < m; j++)
                    C[i] += j * (c * 9 + n) + a;
            }
        default:
            C[i] += m * 5;
        }
}
