// options: --distribute=1
void distribute_minus(const float *restrict A, float *restrict C) {
  for (int i = 0; i < 8; ++i) {
    const int t0 = i * 8;
    for (int j = 0; j < 8; ++j) {
      C[t0 + j] = A[t0 - j * 8 + 56];
    }
  }
}
