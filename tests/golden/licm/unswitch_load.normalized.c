void unswitch_load(const float *restrict A, float *restrict C, int n, int m) {
  for (int j = 0; j < 8; ++j) {
    for (int i = 0; i < 8; ++i) {
      if (n < 5 && 0.0f < A[j] && i < m) {
        C[j * 8 + i] = A[j];
      }
    }
  }
}
