// options: --hint=n:0:1000
void tile_bounds(float *restrict C, int n) {
  for (int i = 0; i < 8; ++i)
    for (int j = i*4; j < min(n, i*4 + 4); ++j)
      C[i*4 + j] = 1.0f;
}
