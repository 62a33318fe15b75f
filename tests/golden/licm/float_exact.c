// options:
void float_exact(const float *restrict A, float *restrict C, float x, float y) {
  for (int i = 0; i < 16; ++i)
    C[i] = A[i] + x * y + x;
}
