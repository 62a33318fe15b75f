// options:
void p07(const float *restrict A, float *restrict C) {
  for (int y = 0; y < 28; ++y)
    for (int x = 0; x < 32; ++x) {
      if (x < 28) {
        if (y < 27) {
          if (1 <= y)
            C[y*28 + x] = A[y*28 + x];
        }
      }
    }
}
