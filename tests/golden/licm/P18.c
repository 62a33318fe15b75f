// options:
void p18(const float *restrict A, float *restrict C) {
  for (int xo = 0; xo < 8; ++xo)
    for (int yo = 0; yo < 8; ++yo)
      for (int k = 0; k < 8; ++k) {
        int base = xo*64;
        int row = base + yo*8;
        int p = row + k;
        C[p] = A[row] + A[base];
      }
}
