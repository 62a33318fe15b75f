// options:
// Only one of these sums keeps its order: the constant of the other stands to the right of what does not change.
void right_nested(int *restrict a, const int *restrict b, int n)
{
  const int t0 = (int)((unsigned)n * 3u);
  for (int i = 0; i < n; i++) {
    const long long t1 = (long long)t0 + (int)((unsigned)n * (unsigned)i);
    for (int j = 0; j < n; j++) {
      a[j] += b[t0 + n * i + 16 + j] + b[t1 + j + 16];
    }
  }
}
