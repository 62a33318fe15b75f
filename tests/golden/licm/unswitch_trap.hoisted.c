void unswitch_trap(int *restrict C, int n, int k) {
  if (k != 0) {
    const int t0 = 100 / k;
    for (int j = 0; j < 8; ++j) {
      if (j < t0) {
        const int t1 = j * 8;
        for (int i = 0; i < 8; ++i) {
          if (i < n) {
            C[t1 + i] = 1;
          }
        }
      }
    }
  }
}
