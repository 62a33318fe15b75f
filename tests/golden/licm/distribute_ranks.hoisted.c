void distribute_ranks(const int *restrict A, int *restrict C) {
  for (int y = 0; y < 14; ++y) {
    const int t0 = y * 56;
    const int t1 = y * 14;
    for (int x = 0; x < 14; ++x) {
      int s = 0;
      const int t2 = t0 + x * 2;
      for (int ry = 0; ry < 2; ++ry) {
        const int t3 = t2 + ry * 28;
        for (int rx = 0; rx < 2; ++rx) {
          s = s + A[t3 + rx];
        }
      }
      C[t1 + x] = s / 4;
    }
  }
}
