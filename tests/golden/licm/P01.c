// options:
void p01(const float *restrict A, const float *restrict Bv, float *restrict C) {
  for (int i_outer = 0; i_outer < 4; ++i_outer)
    for (int i_inner = 0; i_inner < 32; ++i_inner)
      C[(i_outer*32) + i_inner] = A[(i_outer*32) + i_inner] + Bv[(i_outer*32) + i_inner];
}
