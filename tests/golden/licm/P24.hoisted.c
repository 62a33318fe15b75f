void p24(float *restrict C, int n, int m) {
  const int t0 = n * 2 + m;
  for (int i = 0; i < 8; ++i) {
    const int t1 = i * 512;
    for (int j = 0; j < t0; ++j) {
      C[t1 + j] = 1.0f;
    }
  }
}
