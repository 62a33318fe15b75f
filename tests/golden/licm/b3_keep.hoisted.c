void b3_keep(int *restrict C, int n, int m) {
  const bool t0 = m < 7;
  for (int j = 0; j < 8; ++j) {
    C[j] = t0 && (j < n && m * m == 8);
  }
}
