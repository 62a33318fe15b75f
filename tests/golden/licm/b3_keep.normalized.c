void b3_keep(int *restrict C, int n, int m) {
  for (int j = 0; j < 8; ++j) {
    C[j] = m < 7 && (j < n && m * m == 8);
  }
}
