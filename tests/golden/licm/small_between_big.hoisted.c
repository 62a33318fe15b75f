void small_between_big(const float *restrict A, float *restrict C) {
  for (int i = 0; i < 16; ++i) {
    for (int r = 0; r < 4; ++r) {
      const int t1 = i * 64;
      const int t0 = t1 + r * 16;
      for (int x = 0; x < 16; ++x) {
        C[t0 + x] = A[t1 + x];
      }
    }
  }
}
