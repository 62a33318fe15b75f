// options:
void let_trap(int *restrict C, int n, int k, int m) {
  for (int i = 0; i < 16; ++i)
    if (i < n) {
      int q = k / m;
      C[i] = q;
    }
}
