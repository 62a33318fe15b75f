// options: --unroll-limit=0
// Where a sum leaves a condition, its constant stands last, as it does when the text is read again.
void sum_moved(int *restrict a, const int *restrict b, int n, int m, int w, int k)
{
  const int t0 = (int)((unsigned)m - (unsigned)(w != 0 ? w : n) - 6u) % 101;
  const int t1 = (int)((unsigned)w * (unsigned)k + (unsigned)n * (unsigned)m + 16u);
  for (int i = 0; i < n; i++) {
    const int t2 = (int)((unsigned)w + (unsigned)i + 16u);
    for (int j = 0; j < m; j++) {
      if (3 < j) {
        a[j] = t0 + b[t1];
      }
      a[i * 8 + j] += k < j ? b[t2] : b[n * i + 16 + j];
    }
  }
}
