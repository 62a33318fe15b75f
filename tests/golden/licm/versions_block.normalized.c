void versions_block(int *restrict C, int *restrict D, int n) {
  for (int i = 0; i < 8; ++i) {
    if (i < n) {
      for (int j = 0; j < 8; ++j)
        C[i * 8 + j] = j;
    }
    for (int j = 0; j < 8; ++j)
      D[i * 8 + j] = j;
  }
}
