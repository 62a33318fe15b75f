void product_immediates(int *restrict C, int n) {
  const int t0 = n * 32;
  for (int i = 0; i < 16; ++i) {
    C[i] = t0 * i;
  }
}
