void const_low_sum(float *restrict C, int n) {
  const int t0 = 193 - n;
  for (int i = 4; i < 8; ++i) {
    const int t1 = t0 + i * 32;
    const int t2 = i + 1;
    for (int j = 0; j < 8; ++j) {
      C[t1 + j] = 1.0f;
      C[i + j] = 2.0f;
      C[t2 + (j + 2) * 4] = 3.0f;
    }
  }
}
