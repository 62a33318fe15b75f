// options:
void unswitch_runs(int *restrict C, int n, int m, int k) {
  for (int i = 0; i < n; ++i)
    if (100 / k > 1 && i % 3 < m)
      C[i] = i * 7 + k;
}
