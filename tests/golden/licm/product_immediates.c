// options: --hint=n:0:100
void product_immediates(int *restrict C, int n) {
  for (int i = 0; i < 16; ++i)
    C[i] = i * 4 * n * 8;
}
