void small_paper(const float *restrict A, const float *restrict Wt, float *restrict C) {
  for (int f = 0; f < 16; ++f)
    for (int x = 0; x < 16; ++x) {
      C[f * 16 + x] = 0.0f;
      for (int r = 0; r < 3; ++r)
        C[f * 16 + x] += A[x + r] * Wt[f * 3 + r];
    }
}
