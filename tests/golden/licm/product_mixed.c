// Signed factors that are multiplied in another order, as unsigned ones, are factors of the unsigned product around them.
void product_mixed(int *restrict C, const int *restrict B, int n) {
  for (int i = 0; i < 64; ++i)
    C[i] = 3 * (i * n) * (n * 1u - B[i]);
}
