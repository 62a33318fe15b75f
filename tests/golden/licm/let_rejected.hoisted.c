void let_rejected(int *restrict C, int n) {
  for (int i = 0; i < 8; ++i) {
    int hi = n + 1;
    const int t0 = hi * 3 % 5;
    for (int j = 0; j < 8; ++j) {
      C[i * 8 + j] = t0 + j;
    }
  }
}
