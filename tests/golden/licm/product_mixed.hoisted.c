// Signed factors that are multiplied in another order, as unsigned ones, are factors of the unsigned product around them.
void product_mixed(int *restrict C, const int *restrict B, int n) {
  const unsigned t0 = (unsigned)n * 3;
  for (int i = 0; i < 64; ++i) {
    C[i] = t0 * (i * ((unsigned)n - B[i]));
  }
}
