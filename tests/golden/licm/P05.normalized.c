void p05(const int *restrict A, int *restrict C, int n, int m) {
  for (int i = 0; i < 16; ++i) {
    C[i] = (m == 3 || i < n) ? 7 : A[i];
  }
}
