void p02(const float *restrict A, const float *restrict Bm, float *restrict C) {
  for (int xo = 0; xo < 32; ++xo) {
    const int t0 = xo * 32768;
    for (int yo = 0; yo < 32; ++yo) {
      const int t3 = yo * 32;
      const int t5 = t0 + t3;
      for (int k = 0; k < 1024; ++k) {
        const int t1 = t0 + k;
        const int t4 = t3 + k * 1024;
        for (int xi = 0; xi < 32; ++xi) {
          const int t2 = t1 + xi * 1024;
          const int t6 = t5 + xi * 1024;
          for (int yi = 0; yi < 32; ++yi) {
            C[t6 + yi] += A[t2] * Bm[t4 + yi];
          }
        }
      }
    }
  }
}
