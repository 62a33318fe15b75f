void p11(int *restrict C, int n) {
  for (int j = 0; j < 8; ++j) {
    const int t0 = n + j;
    const int t1 = j * 16;
    for (int i = 0; i < 16; ++i) {
      C[t1 + i] = i - t0 + 100;
    }
  }
}
