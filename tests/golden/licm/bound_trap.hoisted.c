void bound_trap(int *restrict C, int n, int k) {
  for (int i = 0; i < n; ++i) {
    const int t0 = 100 / k;
    for (int j = 0; j <= t0; ++j) {
      C[j] += i;
    }
  }
}
