void versions_write(int *restrict C, int *restrict D, int n) {
  int x = n;
  for (int i = 0; i < 8; ++i) {
    for (int j = 0; j < 8; ++j)
      C[i * 8 + j] = x % 9 + j;
    x = x + 1;
    for (int j = 0; j < 8; ++j)
      D[i * 8 + j] = x % 9 + j;
  }
}
