void sum_negative(int *restrict C, int n, int m) {
  for (int i = 0; i < 16; ++i) {
    C[i] = -(n + m + i);
  }
}
