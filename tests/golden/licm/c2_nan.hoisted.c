void c2_nan(const float *restrict A, float *restrict C, int n, float x, float y) {
  const bool t0 = !(x < y);
  for (int i = 0; i < 16; ++i) {
    C[i] = t0 && i < n ? A[i] : 1.0f;
  }
}
