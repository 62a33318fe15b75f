void c4_or_else(const int *restrict A, int *restrict C, int n, int m) {
  for (int i = 0; i < 16; ++i) {
    C[i] = m == 3 && n <= i ? 5 : A[i];
  }
}
