void small_pragma(const float *restrict A, float *restrict C) {
  for (int f = 0; f < 16; ++f) {
    const int t0 = f * 128;
    for (int x = 0; x < 16; ++x) {
#pragma GCC unroll 8
      for (int r = 0; r < 8; ++r) {
        C[t0 + x * 8 + r] = A[x * 5 + r];
      }
    }
  }
}
