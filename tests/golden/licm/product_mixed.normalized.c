// Signed factors that are multiplied in another order, as unsigned ones, are factors of the unsigned product around them.
void product_mixed(int *restrict C, const int *restrict B, int n) {
  for (int i = 0; i < 64; ++i) {
    C[i] = (int)((unsigned)n * 3u * ((unsigned)i * ((unsigned)n - (unsigned)B[i])));
  }
}
