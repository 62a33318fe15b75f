void rank_reassigned(int *restrict C, int n) {
  int base = 0;
  for (int i = 0; i < 8; ++i) {
    base = n + base;
    const int t0 = i * 8;
    const int t1 = base % 16;
    for (int j = 0; j < 8; ++j) {
      C[t0 + j] = t1 + j;
    }
  }
}
