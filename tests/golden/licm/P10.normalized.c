void p10(int *restrict C, int n, int m) {
  for (int j = 0; j < 8; ++j) {
    for (int i = 0; i < 16; ++i) {
      C[j * 16 + i] = n - m - j * 3 + i;
    }
  }
}
