void p03(const float *restrict A, float *restrict C) {
  for (int j = 0; j < 64; ++j) {
    const bool t0 = 3 < j && j < 56;
    const int t1 = j * 64;
    for (int i = 0; i < 64; ++i) {
      C[t1 + i] = (t0 && (3 < i && i < 56)) ? A[t1 + i] : 0.0f;
    }
  }
}
