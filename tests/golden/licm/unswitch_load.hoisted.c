void unswitch_load(const float *restrict A, float *restrict C, int n, int m) {
  if (n < 5) {
    for (int j = 0; j < 8; ++j) {
      const int t0 = j * 8;
      for (int i = 0; i < 8; ++i) {
        if (0.0f < A[j] && i < m) {
          C[t0 + i] = A[j];
        }
      }
    }
  }
}
