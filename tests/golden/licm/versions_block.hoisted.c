void versions_block(int *restrict C, int *restrict D, int n) {
  for (int i = 0; i < 8; ++i) {
    if (i < n) {
      const int t0 = i * 8;
      for (int j = 0; j < 8; ++j) {
        C[t0 + j] = j;
      }
    }
    const int t1 = i * 8;
    for (int j = 0; j < 8; ++j) {
      D[t1 + j] = j;
    }
  }
}
