// options:
void unswitch_partial(int *restrict C, int n, int m) {
  for (int i = 0; i < 16; ++i) {
    C[i] = 0;
    if (n < m)
      C[i] += 1;
  }
}
