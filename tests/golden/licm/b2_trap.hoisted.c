void b2_trap(int *restrict C, int n, int m) {
  const bool t0 = m < 7;
  for (int i = 0; i < 8; ++i) {
    const int t1 = i * 8;
    for (int j = 0; j < 8; ++j) {
      if (t0 && (j < n && 100 / n < m)) {
        C[t1 + j] = 1;
      } else {
        C[t1 + j] = 2;
      }
    }
  }
}
