// options:
void small_conditions(const float *restrict A, float *restrict C, int n) {
  for (int i = 0; i < 16; ++i)
    for (int y = 0; y < 4; ++y)
      for (int x = 0; x < 4; ++x)
        C[i * 16 + y * 4 + x] = (y < n && x < n) ? A[i * 16 + y * 4 + x] : 0.0f;
}
