// options: --unroll-limit=0
// Where a sum leaves a condition, its constant stands last, as it does when the text is read again.
void sum_moved(int *restrict a, const int *restrict b, int n, int m, int w, int k)
{
    for (int i = 0; i < n; i++)
        for (int j = 0; j < m; j++) {
            if (j > 3)
                a[j] = (m - (6 + (w != 0 ? w : n))) % 101 + b[w * k + 16 + n * m];
            a[i * 8 + j] += j > k ? b[w + 16 + i] : b[i * n + 16 + j];
        }
}
