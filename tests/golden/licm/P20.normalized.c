void p20(const int *restrict A, int *restrict C, int n, int m) {
  for (int j = 0; j < 8; ++j) {
    for (int i = 0; i < 8; ++i) {
      C[j * 8 + i] = min(min(min(n, m), j), i) + max(max(n, m), A[i]);
      C[j * 8 + i + 64] = n * 4 * j * i + (n & m & i);
    }
  }
}
