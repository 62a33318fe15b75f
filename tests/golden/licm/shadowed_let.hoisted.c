void shadowed_let(int *restrict C, int *restrict D) {
  for (int i = 0; i < 8; ++i) {
    int k = i * 3;
    C[i] = k;
    int k_2 = i * 5;
    const int t0 = i * 8;
    for (int j = 0; j < 8; ++j) {
      D[t0 + j] = k_2 + j;
    }
  }
}
