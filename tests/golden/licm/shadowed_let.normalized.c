void shadowed_let(int *restrict C, int *restrict D) {
  for (int i = 0; i < 8; ++i) {
    int k = i * 3;
    C[i] = k;
    for (int j = 0; j < 8; ++j) {
      int k = i * 5;
      D[i * 8 + j] = k + j;
    }
  }
}
