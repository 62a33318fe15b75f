void overflow_assume(long *restrict C, int n, int m) {
  const int t0 = n + m;
  for (int i = 0; i < 16; ++i) {
    C[i] = t0 + i;
  }
}
