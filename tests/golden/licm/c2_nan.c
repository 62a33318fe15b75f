// options: --licm-fp=speculative
void c2_nan(const float *restrict A, float *restrict C, int n, float x, float y) {
  for (int i = 0; i < 16; ++i)
    C[i] = i < n ? (x < y ? 1.0f : A[i]) : 1.0f;
}
