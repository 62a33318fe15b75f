void p09(const float *restrict A, float *restrict C, int n) {
  int c = n;
  for (int i = 0; i < 16; ++i) {
    if (i < c) {
      C[i] = A[i];
      c = c - 1;
    }
    if (i < c) {
      C[i] += 2.0f;
    }
    if (A[i] < 0.5f) {
      C[i] += 3.0f;
      C[i + 16] = 4.0f;
    }
  }
}
