// options: --unroll-limit=0
// Where a sum leaves a condition, its constant stands last, as it does when the text is read again.
void sum_moved(int *restrict a, const int *restrict b, int n, int m, int w, int k)
{
  for (int i = 0; i < n; i++) {
    for (int j = 0; j < m; j++) {
      if (3 < j) {
        a[j] = (int)((unsigned)m - (unsigned)(w != 0 ? w : n) - 6u) % 101 + b[(int)((unsigned)(w * k) + (unsigned)(n * m) + 16u)];
      }
      a[i * 8 + j] += k < j ? b[(int)((unsigned)w + (unsigned)i + 16u)] : b[n * i + 16 + j];
    }
  }
}
