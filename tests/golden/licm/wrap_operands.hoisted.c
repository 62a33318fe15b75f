void wrap_operands(int *restrict C, int n, int m) {
  const int t0 = n * 4;
  for (int j = 0; j < 8; ++j) {
    const int t1 = (int)((unsigned)j - (unsigned)t0);
    const int t2 = j * 8;
    for (int i = 0; i < 8; ++i) {
      C[t2 + i] = (int)((unsigned)t1 + (unsigned)i - 2u);
    }
  }
}
