// options: --hint=n:0:64
void trap_available(int *restrict C, int *restrict D, int n) {
  for (int i = 0; i < 8; ++i) {
    D[i] = 100 / n;
    for (int j = 0; j < n; ++j)
      C[i*64 + j] = 100 / n + j;
  }
}
