void s1_guard_moves_along(int *restrict C, int n, int d) {
  const int t0 = d != 0 ? n / d : 7;
  for (int i = 0; i < 16; ++i) {
    C[i] = t0 + i;
  }
}
