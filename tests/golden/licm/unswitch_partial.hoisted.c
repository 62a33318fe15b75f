void unswitch_partial(int *restrict C, int n, int m) {
  const bool t0 = n < m;
  for (int i = 0; i < 16; ++i) {
    C[i] = 0;
    if (t0) {
      C[i] += 1;
    }
  }
}
