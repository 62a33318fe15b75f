void loads_zero_trip(const int *restrict W, int *restrict C, int n) {
  for (int i = 0; i < n; ++i)
    C[i] = W[0];
}
