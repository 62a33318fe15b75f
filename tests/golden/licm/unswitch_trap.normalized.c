void unswitch_trap(int *restrict C, int n, int k) {
  for (int j = 0; j < 8; ++j) {
    for (int i = 0; i < 8; ++i) {
      if (k != 0 && j < 100 / k && i < n) {
        C[j * 8 + i] = 1;
      }
    }
  }
}
