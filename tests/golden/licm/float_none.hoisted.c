void float_none(const float *restrict A, float *restrict C, float x, float y, int n) {
  const int t0 = n % 7;
  for (int i = 0; i < 16; ++i) {
    C[i] = A[i] + x * y + (float)t0;
  }
}
