void p16(const float *restrict A, float *restrict C) {
  for (int n = 0; n < 4; ++n) {
    for (int c = 0; c < 8; ++c) {
      const int t0 = n * 512 + c * 64;
      for (int y = 0; y < 8; ++y) {
        const int t1 = t0 + y * 8;
        for (int x = 0; x < 8; ++x) {
          C[t1 + x] = A[t1 + x + 3];
        }
      }
    }
  }
}
