void halide(int *restrict C, int n, int m) {
  const int t0 = n + m;
  for (int i = 0; i < 8; ++i) {
    const int t1 = i % 3;
    const int t2 = i * 8;
    const bool t3 = i < n;
    const int t4 = t0 + t1;
    for (int j = 0; j < 8; ++j) {
      if (j < m && t3) {
        C[t2 + j] = t4 + j;
      }
    }
  }
}
