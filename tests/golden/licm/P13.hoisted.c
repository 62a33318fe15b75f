void p13(const float *restrict A, float *restrict C) {
  for (int i = 1; i < 31; ++i) {
    const int t2 = i * 32;
    const int t0 = t2 - 1;
    const int t1 = t2 + 1;
    for (int j = 1; j < 31; ++j) {
      C[t2 + j] = A[t0 + j] + A[t1 + j];
    }
  }
}
