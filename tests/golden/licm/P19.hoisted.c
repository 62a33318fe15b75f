void p19(const float *restrict A, float *restrict C, float *restrict D) {
  for (int i = 0; i < 8; ++i) {
    const int t0 = i * 48;
    for (int j = 0; j < 16; ++j) {
      C[t0 + j] = A[t0 + j];
    }
    for (int k = 0; k < 16; ++k) {
      D[t0 + k] = C[t0 + k];
    }
  }
}
