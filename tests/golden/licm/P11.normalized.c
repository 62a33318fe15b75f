void p11(int *restrict C, int n) {
  for (int j = 0; j < 8; ++j) {
    for (int i = 0; i < 16; ++i) {
      C[j * 16 + i] = i - (n + j) + 100;
    }
  }
}
