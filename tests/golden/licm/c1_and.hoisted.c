void c1_and(const int *restrict A, int *restrict C, int n, int m) {
  const bool t0 = m == 3;
  for (int i = 0; i < 16; ++i) {
    C[i] = t0 && i < n ? A[i] : 0;
  }
}
