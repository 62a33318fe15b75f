void implicit_conversion(float *restrict C, unsigned u, int n) {
  const float t0 = n % 7 * 0.5f + (u + 3u);
  for (int i = 0; i < 16; ++i) {
    C[i] = t0;
  }
}
