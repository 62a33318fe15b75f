// options:
void implicit_conversion(float *restrict C, unsigned u, int n) {
  for (int i = 0; i < 16; ++i)
    C[i] = n % 7 * 0.5f + (u + 3u);
}
