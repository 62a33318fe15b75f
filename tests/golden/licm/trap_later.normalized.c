void trap_later(int *restrict C, int *restrict D, int n) {
  for (int i = 0; i < 8; ++i) {
    for (int j = 0; j < n; ++j) {
      C[i * 64 + j] = 100 / n + j;
    }
    D[i] = 100 / n;
  }
}
