void p02(const float *restrict A, const float *restrict Bm, float *restrict C) {
  for (int xo = 0; xo < 32; ++xo) {
    for (int yo = 0; yo < 32; ++yo) {
      for (int k = 0; k < 1024; ++k) {
        for (int xi = 0; xi < 32; ++xi) {
          for (int yi = 0; yi < 32; ++yi) {
            C[xo * 32768 + yo * 32 + xi * 1024 + yi] += A[xo * 32768 + k + xi * 1024] * Bm[yo * 32 + k * 1024 + yi];
          }
        }
      }
    }
  }
}
