void p06(const int *restrict A, int *restrict C, int m) {
  for (int j = 0; j < 8; ++j) {
    for (int i = 0; i < 16; ++i) {
      C[j * 16 + i] = (m <= j && i < 10) ? A[j * 16 + i] : -1;
    }
  }
}
