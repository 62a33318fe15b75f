// options: --licm-threshold=2
// run: trials=4
void p16(const float *restrict A, float *restrict C) {
  for (int n = 0; n < 4; ++n)
    for (int c = 0; c < 8; ++c)
      for (int y = 0; y < 8; ++y)
        for (int x = 0; x < 8; ++x)
          C[n*512 + c*64 + y*8 + x] = A[n*512 + c*64 + y*8 + x + 3];
}
