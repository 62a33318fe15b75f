void unswitch_off(int *restrict C, int n, int m) {
  for (int i = 0; i < 16; ++i) {
    if (n < 4 && i < m) {
      C[i] = 1;
    }
  }
}
