void p14(int *restrict C, int x, int y) {
  const int t0 = x / 1024 + y;
  for (int i = 0; i < 16; ++i) {
    C[i] = t0 + i * 2;
  }
}
