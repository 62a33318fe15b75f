void loads_in_bounds(int *restrict C, int n, int k) {
  int T[16];
  for (int i = 0; i < 16; ++i) {
    T[i] = i;
  }
  const int t0 = T[n];
  for (int i = 0; i < 16; ++i) {
    C[i] = i < k ? t0 : 0;
  }
}
