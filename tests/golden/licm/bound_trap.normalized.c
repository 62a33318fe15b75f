void bound_trap(int *restrict C, int n, int k) {
  for (int i = 0; i < n; ++i) {
    for (int j = 0; j <= 100 / k; ++j) {
      C[j] += i;
    }
  }
}
