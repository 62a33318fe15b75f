void p12(const float *restrict A, float *restrict C) {
  for (int i = 1; i < 31; ++i) {
    const int t0 = i * 32;
    const int t1 = (i - 1) * 32;
    const int t2 = (i + 1) * 32;
    for (int j = 1; j < 31; ++j) {
      C[t0 + j] = A[t0 + j - 1] + A[t0 + j + 1] + (A[t1 + j] + A[t2 + j]);
    }
  }
}
