void p20(const int *restrict A, int *restrict C, int n, int m) {
  const int t0 = min(n, m);
  const int t2 = max(n, m);
  const int t4 = n * 4;
  const int t6 = n & m;
  for (int j = 0; j < 8; ++j) {
    const int t1 = min(t0, j);
    const int t3 = j * 8;
    const int t5 = t4 * j;
    for (int i = 0; i < 8; ++i) {
      C[t3 + i] = min(t1, i) + max(t2, A[i]);
      C[t3 + i + 64] = t5 * i + (t6 & i);
    }
  }
}
