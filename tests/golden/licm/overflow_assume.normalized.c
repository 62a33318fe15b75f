void overflow_assume(long *restrict C, int n, int m) {
  for (int i = 0; i < 16; ++i) {
    C[i] = n + m + i;
  }
}
