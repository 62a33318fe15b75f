// options:
void p12(const float *restrict A, float *restrict C) {
  for (int i = 1; i < 31; ++i)
    for (int j = 1; j < 31; ++j)
      C[i*32 + j] = (A[i*32 + j - 1] + A[i*32 + j + 1]) + (A[(i - 1)*32 + j] + A[(i + 1)*32 + j]);
}
