void p07(const float *restrict A, float *restrict C) {
  for (int y = 0; y < 28; ++y) {
    if (y < 27 && 1 <= y) {
      const int t0 = y * 28;
      for (int x = 0; x < 32; ++x) {
        if (x < 28) {
          C[t0 + x] = A[t0 + x];
        }
      }
    }
  }
}
