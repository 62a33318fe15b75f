void cast_cuts(long *restrict C, long n) {
  for (int i = 0; i < 8; ++i) {
    for (int j = 0; j < 8; ++j) {
      C[i * 8 + j] = n + (long)(i + j);
    }
  }
}
