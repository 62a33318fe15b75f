void cast_cuts(long *restrict C, long n) {
  for (int i = 0; i < 8; ++i) {
    const int t0 = i * 8;
    for (int j = 0; j < 8; ++j) {
      C[t0 + j] = n + (long)(i + j);
    }
  }
}
