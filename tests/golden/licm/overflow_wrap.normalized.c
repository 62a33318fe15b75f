void overflow_wrap(int *restrict C, int n, int m) {
  for (int i = 0; i < 16; ++i) {
    C[i] = (int)((unsigned)n + (unsigned)m + (unsigned)i);
  }
}
