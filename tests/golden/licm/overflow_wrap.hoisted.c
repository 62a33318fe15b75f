void overflow_wrap(int *restrict C, int n, int m) {
  const int t0 = (int)((unsigned)n + (unsigned)m);
  for (int i = 0; i < 16; ++i) {
    C[i] = (int)((unsigned)t0 + (unsigned)i);
  }
}
