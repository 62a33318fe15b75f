void s1_shift(unsigned *restrict C, unsigned u, int s) {
  for (int i = 0; i < 8; ++i) {
    if (i < 3) {
      C[i] = u << s;
    }
  }
  const unsigned t0 = u >> s;
  for (int i = 0; i < 8; ++i) {
    C[i] ^= t0;
  }
}
