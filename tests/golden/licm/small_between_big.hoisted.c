void small_between_big(const float *restrict A, float *restrict C) {
  for (int i = 0; i < 16; ++i) {
    const int t0 = i * 64;
    for (int r = 0; r < 4; ++r) {
      const int t1 = t0 + r * 16;
      for (int x = 0; x < 16; ++x) {
        C[t1 + x] = A[t0 + x];
      }
    }
  }
}
