void p06(const int *restrict A, int *restrict C, int m) {
  for (int j = 0; j < 8; ++j) {
    const bool t0 = m <= j;
    const int t1 = j * 16;
    for (int i = 0; i < 16; ++i) {
      C[t1 + i] = (t0 && i < 10) ? A[t1 + i] : -1;
    }
  }
}
