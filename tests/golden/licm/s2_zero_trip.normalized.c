void s2_zero_trip(int *restrict C, int n, int m) {
  for (int i = 0; i < n; ++i)
    C[i] = 100 / m;
}
