void trap_available(int *restrict C, int *restrict D, int n) {
  const int t0 = 100 / n;
  for (int i = 0; i < 8; ++i) {
    D[i] = t0;
    const int t1 = i * 64;
    for (int j = 0; j < n; ++j) {
      C[t1 + j] = t0 + j;
    }
  }
}
