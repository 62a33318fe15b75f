void p17(const float *restrict A, const float *restrict Wt, float *restrict C) {
  for (int f = 0; f < 64; ++f) {
    const int t0 = f * 9;
    const int t1 = f * 56;
    for (int x = 0; x < 56; ++x) {
      for (int ry = 0; ry < 3; ++ry) {
        for (int rx = 0; rx < 3; ++rx) {
          C[t1 + x] += A[x + ry * 58 + rx] * Wt[t0 + ry * 3 + rx];
        }
      }
    }
  }
}
