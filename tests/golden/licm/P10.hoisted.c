void p10(int *restrict C, int n, int m) {
  const int t0 = n - m;
  for (int j = 0; j < 8; ++j) {
    const int t1 = t0 - j * 3;
    const int t2 = j * 16;
    for (int i = 0; i < 16; ++i) {
      C[t2 + i] = t1 + i;
    }
  }
}
