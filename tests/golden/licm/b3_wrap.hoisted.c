void b3_wrap(int *restrict C, int n, int m) {
  const bool t0 = (int)((unsigned)m * (unsigned)m) == 8 && m < 7;
  for (int j = 0; j < 8; ++j) {
    C[j] = t0 && j < n;
  }
}
