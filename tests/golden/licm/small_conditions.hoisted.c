void small_conditions(const float *restrict A, float *restrict C, int n) {
  for (int i = 0; i < 16; ++i) {
    const int t0 = i * 16;
    for (int y = 0; y < 4; ++y) {
      const bool t1 = y < n;
      for (int x = 0; x < 4; ++x) {
        C[t0 + y * 4 + x] = (t1 && x < n) ? A[t0 + y * 4 + x] : 0.0f;
      }
    }
  }
}
