void wrap_operands(int *restrict C, int n, int m) {
  for (int j = 0; j < 8; ++j) {
    for (int i = 0; i < 8; ++i) {
      C[j * 8 + i] = (int)((unsigned)j - (unsigned)(n * 4) + (unsigned)i - 2u);
    }
  }
}
