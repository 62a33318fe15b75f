void overflow_speculated(int *restrict C, int n, int m, int k) {
  const int t0 = (int)((unsigned)n * (unsigned)m);
  for (int i = 0; i < k; ++i) {
    C[i] = t0;
  }
}
