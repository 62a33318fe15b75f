void unswitch_unsigned(const float *restrict A, float *restrict C) {
  for (int y = 0; y < 28; ++y) {
    const int t0 = y * 28;
    for (int r = 0; r < 3; ++r) {
      if ((unsigned)(y + r - 1) < 28u) {
        const int t1 = (y + r - 1) * 28;
        for (int x = 0; x < 28; ++x) {
          C[t0 + x] += A[t1 + x];
        }
      }
    }
  }
}
