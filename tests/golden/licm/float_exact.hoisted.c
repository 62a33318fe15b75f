void float_exact(const float *restrict A, float *restrict C, float x, float y) {
  const float t0 = x * y;
  for (int i = 0; i < 16; ++i) {
    C[i] = A[i] + t0 + x;
  }
}
