void s1_division_guard(int *restrict C, int n, int d) {
  const bool t0 = d != 0;
  for (int i = 0; i < 16; ++i) {
    C[i] = i;
    if (t0) {
      C[i] += n / d;
    }
  }
}
