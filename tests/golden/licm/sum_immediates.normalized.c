void sum_immediates(int *restrict C, int n) {
  for (int i = 0; i < 16; ++i) {
    C[i] = n + i;
  }
}
