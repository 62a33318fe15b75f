void c0_equal_arms(int *restrict C, int n, int m) {
  for (int i = 0; i < 16; ++i) {
    C[i] = m + i;
  }
}
