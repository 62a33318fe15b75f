void c_zero_signs(const float *restrict A, float *restrict C, int n, int m) {
  const bool t0 = m < 3;
  for (int i = 0; i < 16; ++i) {
    C[i] = i < n ? (t0 ? A[i] : 0.0f) : -0.0f;
  }
}
