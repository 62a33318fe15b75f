void unswitch_off(int *restrict C, int n, int m) {
  const bool t0 = n < 4;
  for (int i = 0; i < 16; ++i) {
    if (t0 && i < m) {
      C[i] = 1;
    }
  }
}
