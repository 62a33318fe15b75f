void tile_bounds(float *restrict C, int n) {
  for (int i = 0; i < 8; ++i) {
    const int t1 = i * 4;
    const int t0 = min(n, t1 + 4);
    for (int j = i * 4; j < t0; ++j) {
      C[t1 + j] = 1.0f;
    }
  }
}
