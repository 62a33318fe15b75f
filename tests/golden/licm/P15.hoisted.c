void p15(const float *restrict Wt, const float *restrict A, float *restrict C) {
  for (int f = 0; f < 8; ++f) {
    const int t0 = f * 32;
    const float t1 = Wt[f];
    for (int x = 0; x < 32; ++x) {
      C[t0 + x] = C[t0 + x] + A[x] * t1;
    }
  }
}
