// options:
void unswitch_runs(int *restrict C, int n, int m, int k) {
  for (int i = 0; i < n; ++i) {
    if (1 < 100 / k && i % 3 < m) {
      C[i] = k + i * 7;
    }
  }
}
