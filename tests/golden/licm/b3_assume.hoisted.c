void b3_assume(int *restrict C, int n, int m, int k) {
  const bool t0 = m * m == k && m < 7;
  for (int j = 0; j < 8; ++j) {
    C[j] = t0 && j < n;
  }
}
