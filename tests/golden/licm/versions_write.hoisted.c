void versions_write(int *restrict C, int *restrict D, int n) {
  int x = n;
  for (int i = 0; i < 8; ++i) {
    const int t0 = i * 8;
    const int t1 = x % 9;
    for (int j = 0; j < 8; ++j) {
      C[t0 + j] = t1 + j;
    }
    x = x + 1;
    const int t2 = x % 9;
    for (int j = 0; j < 8; ++j) {
      D[t0 + j] = t2 + j;
    }
  }
}
