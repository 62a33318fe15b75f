void p19(const float *restrict A, float *restrict C, float *restrict D) {
  for (int i = 0; i < 8; ++i) {
    for (int j = 0; j < 16; ++j) {
      C[i * 48 + j] = A[i * 48 + j];
    }
    for (int k = 0; k < 16; ++k) {
      D[i * 48 + k] = C[i * 48 + k];
    }
  }
}
