void overflow_speculated(int *restrict C, int n, int m, int k) {
  for (int i = 0; i < k; ++i)
    C[i] = n * m;
}
