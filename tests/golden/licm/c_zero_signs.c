// options:
void c_zero_signs(const float *restrict A, float *restrict C, int n, int m) {
  for (int i = 0; i < 16; ++i)
    C[i] = i < n ? (m < 3 ? A[i] : 0.0f) : -0.0f;
}
