void p15(const float *restrict Wt, const float *restrict A, float *restrict C) {
  for (int f = 0; f < 8; ++f) {
    for (int x = 0; x < 32; ++x) {
      C[f * 32 + x] = C[f * 32 + x] + A[x] * Wt[f];
    }
  }
}
