void s1_division_guard(int *restrict C, int n, int d) {
  for (int i = 0; i < 16; ++i) {
    C[i] = i;
    if (d != 0)
      C[i] += n / d;
  }
}
