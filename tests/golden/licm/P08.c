// options:
void p08(const float *restrict A, float *restrict C, float *restrict D, int n) {
  for (int i = 0; i < 16; ++i) {
    if (i < n) C[i] = A[i];
    if (i < n) D[i] = A[i + 1]; else D[i] = 0.0f;
    if (n > i) C[i] += 1.0f;
  }
}
