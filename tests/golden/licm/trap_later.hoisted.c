void trap_later(int *restrict C, int *restrict D, int n) {
  const int t1 = 100 / n;
  for (int i = 0; i < 8; ++i) {
    const int t0 = i * 64;
    for (int j = 0; j < n; ++j) {
      C[t0 + j] = 100 / n + j;
    }
    D[i] = t1;
  }
}
