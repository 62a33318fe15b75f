// options: --distribute=1
void distribute_minus(const float *restrict A, float *restrict C) {
  for (int i = 0; i < 8; ++i) {
    for (int j = 0; j < 8; ++j) {
      C[i * 8 + j] = A[i * 8 - j * 8 + 56];
    }
  }
}
