// options: --unroll-limit=4
void small_between_big(const float *restrict A, float *restrict C) {
  for (int i = 0; i < 16; ++i)
    for (int r = 0; r < 4; ++r)
      for (int x = 0; x < 16; ++x)
        C[i*64 + r*16 + x] = A[i*64 + x];
}
