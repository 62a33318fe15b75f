void b3_assume(int *restrict C, int n, int m, int k) {
  for (int j = 0; j < 8; ++j) {
    C[j] = m * m == k && m < 7 && j < n;
  }
}
