void const_low_sum(float *restrict C, int n) {
  for (int i = 4; i < 8; ++i) {
    for (int j = 0; j < 8; ++j) {
      C[193 - n + i * 32 + j] = 1.0f;
      C[i + j] = 2.0f;
      C[i + 1 + (j + 2) * 4] = 3.0f;
    }
  }
}
